import type { Call, everyone, Permission } from '#kit/contract/call.ts'
import type { Moment, Tone } from '#kit/contract/field.ts'
import type { ListQuery, Page } from '#kit/contract/shape.ts'
import { asFen } from '#kit/domain/money.ts'
import { isMoment } from '#kit/domain/moment.ts'
import { valuesByKey } from './column-storage.ts'
import type { ReadContext } from './handler/definition.ts'
import { runReadCall } from './handler/inner-call.ts'
import type { MenuCount, WorkQueue } from './work-queue.ts'

/** `Filter`: what the list can be asked beside its page, all of it optional. */
interface ListedWork<Filter> {
  readonly needs: Permission | typeof everyone
  readonly list: Call<Filter & ListQuery, Page<unknown>>
  readonly filter: NoInfer<Filter>
  /** The path of the list's screen. */
  readonly path: string
  /** For the whole company, not of the chosen project. */
  readonly isCompanyWide?: boolean
}

/** The fields of a row that are moments. */
type MomentKey<R> = { [K in keyof R & string]-?: R[K] extends Moment | undefined ? K : never }[keyof R &
  string]

interface ListQueueOptions<Filter, R> extends ListedWork<Filter> {
  readonly list: Call<Filter & ListQuery, Page<R>>
  readonly key: string
  readonly title: string
  readonly tone: Tone
  readonly isEmergency?: boolean
  readonly actionLabel: string
  /** The view of the screen with the same filter, if it has one. */
  readonly view?: string
  /** The moment of a row since which it waits: the list is asked for the earliest. */
  readonly since?: MomentKey<R>
  /** A sum of the list, with the word for it. */
  readonly sum?: { readonly label: string; readonly key: string }
  readonly detail?: string
}

const encodeFilterValue = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}

/** The address of a list under a filter, as the browser writes it. */
function listAddress(path: string, filter: object, view: string | undefined): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(filter)) {
    query.set(key, encodeFilterValue(value))
  }
  if (view !== undefined) {
    query.set('view', view)
  }
  return `${path}?${query.toString()}`
}

/** From outside, the project of the envelope is a filter of every list that has projects. */
const chosenProject = ({ input }: Pick<Call, 'input'>, projectCode: string): { projectCode?: string } =>
  projectCode && input.fields.projectCode ? { projectCode } : {}

/** The list returns one row, the oldest, and counts the rest. */
const findOldest = <Filter, R>(
  {
    list,
    filter,
    isCompanyWide,
    since,
  }: Pick<ListQueueOptions<Filter, R>, 'list' | 'filter' | 'isCompanyWide' | 'since'>,
  context: ReadContext,
): Promise<Page<R>> =>
  runReadCall(
    list,
    {
      ...filter,
      ...chosenProject(list, isCompanyWide ? '' : context.scope.projectCode),
      page: 1,
      size: 1,
      order: since ?? 'createTime',
    },
    isCompanyWide ? { ...context, scope: { ...context.scope, projectCode: '' } } : context,
  )

function momentOf(row: unknown, key: string | undefined): Moment | undefined {
  const value =
    key === undefined || typeof row !== 'object' || row === null ? undefined : valuesByKey(row)[key]
  return typeof value === 'string' && isMoment(value) ? value : undefined
}

const entitiesOf = ({ output }: Pick<Call, 'output'>): readonly string[] =>
  output.entity === undefined ? [] : [output.entity]

/** Work that a list finds by a filter: counted by the list itself, and opened with the same filter. */
export const listQueue = <Filter extends object, R>(options: ListQueueOptions<Filter, R>): WorkQueue => ({
  key: options.key,
  needs: options.needs,
  entities: entitiesOf(options.list),
  load: async context => {
    const { title, tone, actionLabel, path, filter, view, detail, sum } = options
    const found = await findOldest(options, context)
    const oldest = found.rows[0]
    if (!found.total) return undefined
    const since = momentOf(oldest, options.since)
    return {
      title,
      tone,
      ...(options.isEmergency ? { isEmergency: true } : {}),
      count: found.total,
      actionLabel,
      path: listAddress(path, filter, view),
      ...(since === undefined ? {} : { since }),
      ...(sum && { sum: { label: sum.label, amount: asFen(Number(found.sum?.[sum.key] ?? 0)) } }),
      ...(detail === undefined ? {} : { detail }),
    }
  },
})

/** The rows of a list under a filter, beside its screen in the menu. */
export const listMenuCount = <Filter extends object>(
  options: ListedWork<Filter> & { readonly isUrgent?: boolean },
): MenuCount => ({
  path: options.path,
  needs: options.needs,
  entities: entitiesOf(options.list),
  ...(options.isUrgent ? { isUrgent: true } : {}),
  load: async context => (await findOldest(options, context)).total,
})
