import type { Id } from '#kit/domain/id.ts'
import type { Db } from '#kit/server/db.ts'
import { declareSetting, getSettingValue } from '#modules/estates/server/public.ts'

/** GEN-8 */
export const auditSwitch = declareSetting({
  key: 'bills.auditSwitch',
  label: '账单先审核',
  help: '0 出账即生效；1 出账后为待审核，审核后住户可见、可催、可缴',
  defaultValue: '0',
  check: v => (/^[01]$/.test(v) ? undefined : '请填写 0 或 1'),
})

/** The initial state of the bills of a project. */
export const findInitialState = async (db: Db, ownerId: Id, project: string): Promise<'pending' | 'normal'> =>
  (await getSettingValue(db, ownerId, project, auditSwitch)) === '1' ? 'pending' : 'normal'
