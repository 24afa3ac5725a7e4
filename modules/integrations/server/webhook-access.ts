import { codeOf, keysOf } from '#kit/contract/field.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { ReadContext } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import {
  testEventType,
  webhookEvent,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '../contract/webhook.ts'
import { eventSources, isDeletion, sourceOfType } from './event-sources.ts'

/** Who may read the log of an endpoint, and send from it again: those who could have made it (HOOK-4). */

type Reach = Pick<WebhookEndpoint, 'allProject' | 'projectCodes' | 'eventTypes'>

const wholeProjectsOf = ({ domain }: Scope): string[] =>
  [...domain.projects].filter(([, buildings]) => buildings === null).map(([project]) => project)

/** The types of event whose records somebody may look at; everybody may see a test. */
function readableTypes(scope: Scope): string[] {
  const readable = keysOf(webhookEvent).filter(event => hasPermission(scope, eventSources[event].needs))
  return [testEventType, ...readable.map(event => String(codeOf(webhookEvent, event)))]
}

/** Of the table `alias`: deliveries of readable types, by endpoints within the caller's projects. */
export function readableDeliveries(scope: Scope, alias: string): RawBuilder<unknown>[] {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${alias}.${name}`)
  return [
    sql`${column('type')} = any(${readableTypes(scope)}::text[])`,
    ...(scope.domain.all
      ? []
      : [
          sql`exists (
            select 1
            from webhook_endpoint e
            where e.owner_id = ${scope.ownerId}
              and e.id = ${column('endpoint_id')}
              and not e.all_project
              and e.project_codes <@ ${wholeProjectsOf(scope)}::text[]
          )`,
        ]),
  ]
}

const isWithinProjects = ({ allProject, projectCodes }: Reach, scope: Scope): boolean =>
  scope.domain.all ||
  (!allProject && (projectCodes ?? []).every(project => scope.domain.projects.get(project) === null))

const beyondReach = (): Refused =>
  new Refused(resultCode.forbidden, '无权执行此操作：该推送地址的事件或项目超出你的权限')

/** Refuses an endpoint that sends more than the caller may see. */
export function assertWithinReach(endpoint: Reach, scope: Scope): void {
  const isReadable = endpoint.eventTypes.every(event => hasPermission(scope, eventSources[event].needs))
  if (!isReadable || !isWithinProjects(endpoint, scope)) throw beyondReach()
}

export function assertReadable(type: string, endpoint: Reach, scope: Scope): void {
  if (!readableTypes(scope).includes(type) || !isWithinProjects(endpoint, scope)) throw beyondReach()
}

const readContextOf = ({ db, app, scope }: CrudContext & { readonly app: App }): ReadContext => {
  const now = fromInstant(app.clock())
  const whole = { ...scope, projectCode: '' }
  return { db, app, scope: whole, now, today: dayOfMoment(now), signal: new AbortController().signal }
}

/**
 * Without what was sent of records outside the caller's projects: an endpoint may have had more of them once.
 */
export async function hideContent(
  rows: readonly WebhookDelivery[],
  c: CrudContext & { readonly app: App },
): Promise<WebhookDelivery[]> {
  if (c.scope.domain.all) return [...rows]
  const context = readContextOf(c)
  const visible = new Set<Id>()
  for (const [type, deliveries] of Map.groupBy(rows, row => row.type)) {
    const source = type === testEventType || isDeletion(type) ? undefined : sourceOfType(type)
    const subjects = [...new Set(deliveries.map(row => asId(row.subjectId)))]
    const found = source && (await source.load(subjects, context))
    deliveries.filter(row => !source || found?.has(asId(row.subjectId))).forEach(row => visible.add(row.id))
  }
  return rows.map(row => (visible.has(row.id) ? row : { ...row, body: undefined, answer: undefined }))
}
