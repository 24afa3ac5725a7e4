import { registerResidentPart } from '#modules/resident-page/server/public.ts'
import { paths } from '../module.ts'
import { findOwedIds } from './bills.ts'

/** Who works for a company here has no bills of their own. */
registerResidentPart({
  key: 'bills',
  title: '我的账单',
  icon: 'bill',
  order: 15,
  path: paths.bills,
  load: async ({ db, resident, home }) => {
    if (home.roomId === undefined) return undefined
    return { count: (await findOwedIds(db, { resident, home })).length }
  },
})
