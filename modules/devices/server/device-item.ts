import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { codes, flagFilter } from '#kit/server/sql.ts'
import { itemState } from '../contract/choices.ts'
import { deviceItems } from '../contract/device-item.ts'
import { shownItemKey } from '../domain/secret-item.ts'
import { itemKeyCondition } from './item-key.ts'

export const deviceItemServer = crudHandlers(deviceItems, {
  filter: ({ isUnsynced }) =>
    flagFilter(isUnsynced, sql`t.state in ${codes(itemState, 'waiting', 'failed', 'removing')}`),
  keyword: itemKeyCondition,
  enrich: async rows => rows.map(row => ({ ...row, itemKey: shownItemKey(row) })),
})
