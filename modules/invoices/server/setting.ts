import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { refuse, invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import { hasProject, outOfDomain, systemReadScope, type Scope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { insert, requireById, findAll, update, withAllFields } from '#kit/server/table.ts'
import {
  addSetting,
  editSetting,
  getOwnerSetting,
  invoiceSetting,
  listSettings,
  type InvoiceSetting,
} from '../contract/setting.ts'
import { prestoreMode, invoiceState } from '../contract/choices.ts'

uniqueMessages({
  invoice_set_once: '该范围已有开票设置，请修改它',
  invoice_good_name_live: '已有同名的开票商品',
  invoice_title_once: '该缴费人已有相同的抬头',
})

/** The setting that a project invoices by: its own, else the company's; undefined where there is neither. */
export async function findSetting(
  db: Db,
  ownerId: Id,
  project: string | undefined,
): Promise<InvoiceSetting | undefined> {
  const found = await db.one<{ id: Id }>(
    sql`
      select id
      from invoice_set
      where owner_id = ${ownerId}
        and ${notDeleted()}
        and (estate_code is null or estate_code = ${project ?? ''})
      order by estate_code nulls last
      limit 1
    `,
  )
  return found && getSetting(db, ownerId, found.id)
}

export const getSetting = (db: Db, ownerId: Id, id: Id): Promise<InvoiceSetting> =>
  requireById(db, invoiceSetting, systemReadScope(ownerId), id)

/** Each with `hasStoredKey`: whether a secret is stored, which itself is never read out. */
async function withKeyed(
  db: Db,
  ownerId: Id,
  settings: readonly InvoiceSetting[],
): Promise<InvoiceSetting[]> {
  const keyed = await db.rows<{ id: Id }>(
    sql`select id from invoice_set where owner_id = ${ownerId} and run_secret is not null`,
  )
  const keyedIds = new Set(keyed.map(setting => setting.id))
  return settings.map(setting => ({ ...setting, hasStoredKey: keyedIds.has(setting.id) }))
}

const withStoredKey = async (db: Db, ownerId: Id, setting: InvoiceSetting): Promise<InvoiceSetting> =>
  defined((await withKeyed(db, ownerId, [setting]))[0])

const blankSetting: NonNullable<typeof getOwnerSetting.output.T> = {
  id: 0,
  companyName: '',
  taxNo: '',
  drawer: '',
  channel: 'manual',
  simulated: false,
  hasStoredKey: false,
  kinds: ['eNormal', 'eSpecial'],
  prestoreMode: 'deduct',
  refuseNextYear: true,
  paidUpOnly: false,
}

/** The company's setting is for those whose data domain is the whole company. */
const assertInDomain = (scope: Scope, estateCode: string | undefined): void => {
  if (estateCode ? !hasProject(scope.domain, estateCode) : !scope.domain.all) throw outOfDomain()
}

type SettingInput = NonNullable<typeof addSetting.input.T>

const requiredOfPlatform = [
  ['appKey', 'AppKey', '请填写平台应用号'],
  ['apiBase', 'ApiBase', '请填写平台地址'],
  ['notifyBase', 'NotifyBase', '请填写平台能访问到的本系统地址'],
] as const

function findPlatformFaults(setting: SettingInput, hasSecret: boolean): FieldFault[] {
  const faults: FieldFault[] = []
  if (!setting.kinds.some(kind => kind === 'eNormal' || kind === 'eSpecial')) {
    faults.push({ Field: 'Kinds', Message: '开票平台只开电子发票，请选择电子票种' })
  }
  if (setting.simulated) return faults
  for (const [key, Field, Message] of requiredOfPlatform) {
    if (!setting[key]) {
      faults.push({ Field, Message })
    }
  }
  if (!setting.secret && !hasSecret) {
    faults.push({ Field: 'Secret', Message: '请填写平台密钥' })
  }
  return faults
}

function assertSettingValid(setting: SettingInput, hasSecret: boolean): void {
  const faults = [
    ...(setting.kinds.length ? [] : [{ Field: 'Kinds', Message: '请至少选择一个票种' }]),
    ...(setting.channel === 'platform' ? findPlatformFaults(setting, hasSecret) : []),
  ]
  if (faults.length) throw invalidInput(faults)
}

const modeChangeFaults: Readonly<Record<InvoiceSetting['prestoreMode'], string>> = {
  topUp: '已有按充值开具的发票，改为开于冲抵会重复开票；请先红冲这些发票',
  deduct: '已有按冲抵开具的发票，改为开于充值会重复开票；请先红冲这些发票',
}

/**
 * INV-2, never both: the other place of invoicing prestore may be chosen while nothing has been invoiced at
 * this one.
 */
async function assertModeChangeable(
  tx: Tx,
  ownerId: Id,
  current: InvoiceSetting['prestoreMode'],
): Promise<void> {
  const isInvoicedSo =
    current === 'topUp' ? sql`p.detail_id is null and r.income_amount = 0` : sql`r.prestore_amount > 0`
  const invoiced = await tx.one(
    sql`
      select 1 as found
      from invoice_part p
      join invoice_record i on i.owner_id = ${ownerId} and i.id = p.invoice_id
      join pay_record r on r.owner_id = ${ownerId} and r.id = p.record_id
      where p.owner_id = ${ownerId}
        and p.red_amount < p.amount
        and i.state not in ${codes(invoiceState, 'red', 'cancelled')}
        and not i.is_red
        and ${notDeleted('i')}
        and ${isInvoicedSo}
      limit 1
    `,
  )
  if (invoiced) throw invalidInput([{ Field: 'PrestoreMode', Message: modeChangeFaults[current] }])
}

/** INV-2: one place for the company; the same payer's prestore may pay bills of several projects. */
async function assertSameMode(tx: Tx, ownerId: Id, mode: InvoiceSetting['prestoreMode']): Promise<void> {
  const other = await tx.one<{ mode: number }>(
    sql`
      select prestore_mode as mode
      from invoice_set
      where owner_id = ${ownerId} and ${notDeleted()}
      limit 1
    `,
  )
  if (other && other.mode !== codeOf(prestoreMode, mode))
    throw invalidInput([{ Field: 'PrestoreMode', Message: '预存开票要与公司其他开票设置一致' }])
}

async function saveSecret(tx: Tx, ownerId: Id, id: Id, secret: string | undefined): Promise<void> {
  if (!secret) return
  await tx.execute(
    sql`update invoice_set set run_secret = ${secret} where owner_id = ${ownerId} and id = ${id}`,
  )
}

const getOwnerSettingHandler = reads(getOwnerSetting, async ({ estateCode }, { db, scope }) => {
  const setting = await findSetting(db, scope.ownerId, estateCode ?? (scope.projectCode || undefined))
  return setting ? withStoredKey(db, scope.ownerId, setting) : blankSetting
})

const listSettingsHandler = reads(listSettings, async (_, { db, scope }) => {
  const settings = await findAll(db, invoiceSetting, scope, {})
  return withKeyed(
    db,
    scope.ownerId,
    settings.filter(setting => !setting.estateCode || hasProject(scope.domain, setting.estateCode)),
  )
})

const addSettingHandler = writes(addSetting, async (input, { tx, scope }) => {
  const { id: _id, version: _version, secret, ...values } = input
  assertInDomain(scope, values.estateCode)
  assertSettingValid(input, false)
  await assertSameMode(tx, scope.ownerId, values.prestoreMode)
  const setting = await insert(tx, invoiceSetting, scope, values)
  await saveSecret(tx, scope.ownerId, setting.id, secret)
  return withStoredKey(tx, scope.ownerId, setting)
})

const editSettingHandler = writes(editSetting, async (input, { tx, scope }) => {
  const { id, version, secret, ...values } = input
  const ownerId = scope.ownerId
  if (!id) return refuse('缺少要修改的开票设置')
  const existing = await requireById(tx, invoiceSetting, scope, id, { lock: true })
  const { hasStoredKey } = await withStoredKey(tx, ownerId, existing)
  assertInDomain(scope, existing.estateCode)
  assertSettingValid(input, hasStoredKey ?? false)
  if (existing.prestoreMode !== values.prestoreMode) {
    await assertModeChangeable(tx, ownerId, existing.prestoreMode)
    await tx.execute(
      sql`
        update invoice_set
        set prestore_mode = ${codeOf(prestoreMode, values.prestoreMode)}, version = version + 1,
          update_time = ${scope.time}::timestamptz
        where owner_id = ${ownerId} and id <> ${id} and ${notDeleted()}
      `,
    )
  }
  const stored = { ...withAllFields(editSetting.input, values), estateCode: existing.estateCode }
  const reason = secret ? '更换密钥' : undefined
  const after = await update(tx, invoiceSetting, scope, id, stored, { version, reason })
  await saveSecret(tx, ownerId, id, secret)
  return withStoredKey(tx, ownerId, after)
})

export const settingHandlers = [
  getOwnerSettingHandler,
  listSettingsHandler,
  addSettingHandler,
  editSettingHandler,
]
