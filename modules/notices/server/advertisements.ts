import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { notFound, type FieldFault } from '#kit/contract/wire.ts'
import type { Day } from '#kit/contract/field.ts'
import type { App } from '#kit/server/app.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { registerFileAccess } from '#kit/server/file-access.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, findByIds, requireById, tenantFilter, updateAll } from '#kit/server/table.ts'
import {
  advertisement,
  advertisements,
  setAdvertisementState,
  type Advertisement,
} from '../contract/advertisement.ts'
import { advertisementState } from '../contract/choices.ts'
import { menu } from '../module.ts'
import { assertWholeProjects, inDomain, requireInDomain } from './reach.ts'

registerFileAccess(advertisement.name, caller =>
  hasPermission(caller, menu.advertisement.permissions.view)
    ? sql.join([tenantFilter(advertisement, caller), ...inDomain(caller)], sql` and `)
    : undefined,
)

const dayFaults = ({ beginDate, endDate }: Pick<Advertisement, 'beginDate' | 'endDate'>): FieldFault[] =>
  endDate < beginDate ? [{ Field: 'EndDate', Message: '结束日期不能早于开始日期' }] : []

/** Of one position in one project, those of today, in order. */
export const shownAdvertisements = (
  db: Db,
  scope: Scope,
  at: { readonly projectCode: string; readonly position: Advertisement['position']; readonly today: Day },
): Promise<readonly Advertisement[]> =>
  findAll(
    db,
    advertisement,
    scope,
    { position: [at.position], order: 'sort' },
    {
      filters: ['position'],
      where: [
        sql`t.state = ${code(advertisementState, 'on')}`,
        sql`t.begin_date <= ${at.today}::date and t.end_date >= ${at.today}::date`,
        sql`(
          cardinality(coalesce(t.project_codes, '{}')) = 0
          or ${at.projectCode} = any(t.project_codes)
        )`,
      ],
      limit: 20,
    },
  )

export const pictureUrl = (
  app: Pick<App, 'files'>,
  { ownerId }: Pick<Scope, 'ownerId'>,
  key: string,
): string => app.files.signedUrl(ownerId, key)

const stateFault =
  (state: Advertisement['state'], today: Day) =>
  (row: Advertisement): string | undefined => {
    if (row.state === state) return '广告已是该状态'
    return state === 'on' && row.endDate < today ? '已过结束日期，请先修改结束日期' : undefined
  }

export const advertisementServer = joinServers(
  crudHandlers(advertisements, {
    byHand: ['get'],
    pictures: ['media'],
    filter: (_, { scope }) => inDomain(scope),
    check: (draft, { scope }, before) => {
      if (before) {
        assertWholeProjects(scope, requireInDomain(scope, before), '该广告')
      }
      assertWholeProjects(scope, draft, '广告')
      return dayFaults(draft)
    },
    // One that had ended is shown again where its end was put off.
    beforeUpdate: (draft, { today }, before) =>
      before.state === 'ended' && draft.endDate >= today ? { state: 'on' } : {},
    beforeDelete: async (rows, { scope }) => {
      for (const row of rows) {
        assertWholeProjects(scope, requireInDomain(scope, row), `「${row.title}」`)
      }
    },
  }),
  {
    handlers: [
      reads(advertisements.get, async ({ id }, { db, scope }) =>
        requireInDomain(scope, await requireById(db, advertisement, scope, id)),
      ),
      writes(setAdvertisementState, async ({ ids, state }, { tx, scope, today }) => {
        const found = await findByIds(tx, advertisement, scope, ids)
        if (!found.length) throw notFound()
        for (const row of found) {
          assertWholeProjects(scope, requireInDomain(scope, row), `「${row.title}」`)
        }
        const { allowed, refused } = judgeRecords(found, stateFault(state, today), row => row.title)
        await updateAll(tx, advertisement, scope, allowed, { state }, { action: 'state' })
        return bulkResultOf(ids, found, refused)
      }),
    ],
  },
)
