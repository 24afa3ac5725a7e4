import { defined } from '#kit/domain/defined.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { keptTables, projectChildTables } from '#kit/server/project-removal.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { billState } from '#modules/bills/contract/choices.ts'
import { generateBills, getRun } from '#modules/bills/contract/run.ts'
import { listBills } from '#modules/bills/contract/list.ts'
import { addBuilding, listBuildings } from '#modules/estates/contract/building.ts'
import { addEstate, listEstates } from '#modules/estates/contract/estate.ts'
import { batchBindByFilter } from '#modules/fees/contract/binding-calls.ts'
import { listFormulas } from '#modules/fees/contract/formula.ts'
import { addItem, listItems } from '#modules/fees/contract/item.ts'
import { addStandard } from '#modules/fees/contract/standard-calls.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { addResident, listResidents } from '#modules/residents/contract/resident.ts'
import { addRoomBatch } from '#modules/rooms/contract/room-batch.ts'
import { listRooms } from '#modules/rooms/contract/room.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { listNotifications } from '#modules/system/contract/notification.ts'
import { getWorkQueues } from '#modules/system/contract/work-queue.ts'
import { guidePath } from '../module.ts'
import { closeGuide, getGuideState, getSetupGuide } from '../contract/guide.ts'
import { removeSample, startSample } from '../contract/sample.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  ownerId = t.ownerId
})

afterAll(() => t?.close())

/** Tables of companies, with whether they have a mark of deletion. */
const tablesOfCompanies = () =>
  t.database.reader('*').rows<{ name: string; soft: boolean; project: boolean }>(sql`
    select c.relname as name,
      bool_or(a.attname = 'delete_tag') as soft,
      bool_or(a.attname = 'project_code') as project
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname
    having bool_or(a.attname = 'owner_id')
    order by c.relname
  `)

/** What is written beside the data: logs, issued numbers, sessions, tasks, what is to be computed. */
const bookkeeping = new Set([
  ...keptTables,
  'access_dirty',
  'bill_counter',
  'document_counter',
  'fee_pulse_time',
  'idempotent_request',
  'manager',
  'notification',
  'onboarding',
  'rate_count',
  'session_token',
])

async function countLiveRows(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name, soft } of await tablesOfCompanies()) {
    if (bookkeeping.has(name)) continue
    const found = await t.database.reader('*').one<{ n: number }>(sql`
      select count(*)::int as n
      from ${sql.table(name)}
      where owner_id = ${ownerId} ${soft ? sql`and delete_tag = 0` : sql``}
    `)
    counts[name] = defined(found).n
  }
  return counts
}

const itemDraft = {
  feeType: 'cyclic',
  category: 'other',
  incomeKind: 'own',
  scene: 'roomShop',
  inRate: true,
  billMode: 'auto',
  allowMulti: false,
  allowOnline: true,
  autoDeduct: true,
  principalSettles: false,
  lateFeeSwitch: false,
} as const

const standardDraft = {
  cycleType: 'natural',
  cycleMonths: 1,
  alignYear: true,
  chargeMode: 'ahead',
  startRule: 'fixedDate',
  prorateMode: 'actual',
  advanceDays: 0,
  delayDays: 0,
  dueBase: 'begin',
  dueDays: 30,
  dueSkipHoliday: false,
  roundType: 'halfUp',
  roundUnit: 'fen',
  tiersStretch: true,
} as const

async function waitForRun(id: Id): Promise<void> {
  for (let i = 0; i < 200; i++) {
    const { state } = await t.call(getRun, { id }, me)
    if (state === 'done') return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('the run did not end')
}

/** A building with four rooms, one resident, one charge, the bills of November. */
async function fillSample(projectCode: string): Promise<void> {
  await t.call(
    addEstate,
    { projectCode, name: `示例花园${projectCode}`, projectType: 'housing', state: 'on', sort: 0 },
    me,
  )
  await t.call(
    addBuilding,
    { projectCode, name: '1栋', units: 1, unitType: 'number', floors: ['2'], sort: 1 },
    me,
  )
  const [built] = (await t.call(listBuildings, { projectCode }, me)).rows
  await t.call(
    addRoomBatch,
    {
      projectCode,
      buildCode: defined(defined(built).code),
      floorFrom: 1,
      floorTo: 2,
      perFloor: 2,
      roomType: 'home',
      roomState: 'vacant',
      buildArea: '100',
    },
    me,
  )
  const [first] = (await t.call(listRooms, { projectCode }, me)).rows
  await t.call(
    addResident,
    {
      homeProject: projectCode,
      name: '示例业主',
      userType: 'person',
      state: 'normal',
      rooms: [{ roomCode: defined(defined(first).code), relation: 'owner', inDate: '2026-11-01' }],
    },
    { ...me, projectCode },
  )
  const item = await t.call(
    addItem,
    { ...itemDraft, code: `SLF${projectCode.slice(-4)}`, name: `示例费${projectCode}` },
    me,
  )
  const formulas = (await t.call(listFormulas, { size: 100 }, me)).rows
  const standard = await t.call(
    addStandard,
    {
      ...standardDraft,
      projectCode,
      code: 'SL01',
      name: '示例费',
      feeItemId: item.id,
      formulaId: defined(formulas.find(f => f.formulaType === 'area' && f.isSystem)).id,
      areaKind: 'build',
      price: '2.5',
    },
    me,
  )
  await t.call(
    batchBindByFilter,
    {
      projectCode,
      sourceType: 'room',
      standardIds: [String(standard.id)],
      mode: 'append',
      beginDate: '2026-11-01',
    },
    me,
  )
  const { run } = await t.call(generateBills, { projectCode, month: '2026-11', isPreview: false }, me)
  await waitForRun(defined(run).id)
}

const unpaidBills = async (projectCode: string) =>
  (await t.call(listBills, { projectCode, payState: ['unpaid'] }, me)).rows

const stepsOf = async (projectCode: string) =>
  Object.fromEntries(
    (await t.call(getSetupGuide, { projectCode }, me)).steps.map(s => [s.step, s.count] as const),
  )

it('every table of a company is removed by its project, goes with a row that is, or belongs to the company', async () => {
  const children = projectChildTables().map(c => c.table)
  const ofCompany = (await tablesOfCompanies())
    .filter(table => !table.project && !children.includes(table.name))
    .map(table => table.name)
  expect(ofCompany).toEqual([
    'account_entry',
    'advertisement',
    'advertisement_click',
    'api_key',
    'api_key_call',
    'attendance_apply',
    'attendance_day',
    'attendance_device',
    'attendance_exemption',
    'attendance_group',
    'attendance_log',
    'attendance_member',
    'attendance_month',
    'attendance_schedule',
    'attendance_shift',
    'bill_counter',
    'call_seat',
    'channel_bill',
    'channel_bill_line',
    'cleaning_template',
    'department',
    'device_model',
    'directory',
    'document_counter',
    'erasure_request',
    'fee_formula',
    'fee_item',
    'fee_pulse_time',
    'file_store',
    'green_template',
    'holiday',
    'idempotent_request',
    'identity_provider',
    'increment_node',
    'inspection_item',
    'inspection_standard',
    'internal_notice',
    'internal_notice_receiver',
    'invoice_good',
    'invoice_notice',
    'invoice_set',
    'invoice_title',
    'manager',
    'manager_identity',
    'manager_secret',
    'matter',
    'message_batch',
    'notice_template',
    'notification_setting',
    'onboarding',
    'patrol_template',
    'pay_channel',
    'pay_notice',
    'personal_data_hold',
    'plant',
    'portal_image_text',
    'portal_project',
    'portal_service',
    'portal_website',
    'print_edition',
    'process',
    'process_delegate',
    'process_edition',
    'process_signature',
    'product_order',
    'property',
    'property_account',
    'property_app',
    'property_print',
    'property_secret',
    'property_sms',
    'public_notice',
    'public_notice_version',
    'purchase_setting',
    'reconcile_item',
    'resident',
    'resident_fingerprint',
    'resident_fingerprint_template',
    'resident_wechat_ticket',
    'retention_run',
    'retention_setting',
    'role',
    'session_token',
    'sheet_import',
    'sms_account',
    'sms_block',
    'sms_ledger',
    'sms_number',
    'sms_number_file',
    'sms_template',
    'staff',
    'staff_fingerprint',
    'staff_fingerprint_template',
    'staff_notice',
    'staff_tag',
    'supplier',
    'system_notice',
    'task_standard',
    'used_ticket',
    'user_notice',
    'user_setup',
    'webhook_delivery',
    'webhook_endpoint',
    'wechat_account',
    'wechat_follower',
    'wechat_image_group',
    'wechat_inbox',
    'wechat_job_report',
    'wechat_mass',
    'wechat_mass_batch',
    'wechat_mass_receiver',
    'wechat_material',
    'wechat_menu',
    'wechat_mini_image',
    'wechat_reply',
    'wechat_template',
    'work_order_duty',
    'work_order_notify',
    'work_order_role',
    'work_order_setting',
    'work_order_type',
    'work_order_warning',
  ])
})

it('the sample goes as a whole, money included, and leaves everything else as it was', async () => {
  const before = await countLiveRows()
  const { projectCode } = await t.call(startSample, undefined, me)
  expect(projectCode).toMatch(/^DEMO\d{6}$/)
  await expect(t.call(startSample, undefined, me)).rejects.toThrow('已有示例数据，请先清除')
  await fillSample(projectCode)
  const [bill] = await unpaidBills(projectCode)
  expect(defined(bill).unpaid).toBe(asFen(25_000))
  await t.call(
    payBills,
    {
      projectCode,
      billIds: [String(defined(bill).id)],
      expectAmount: defined(bill).unpaid,
      methods: [{ method: 'cash', amount: defined(bill).unpaid }],
    },
    { ...me, projectCode },
  )
  expect(await stepsOf(projectCode)).toMatchObject({
    building: 1,
    room: 4,
    resident: 1,
    fee: 1,
    binding: 4,
    bill: 4,
    payment: 1,
  })
  expect((await t.call(getSetupGuide, {}, me)).sampleCode).toBe(projectCode)
  // Money of the sample is not the first receipt of the company.
  expect(await t.call(getGuideState, undefined, me)).toEqual({ open: true })
  // Money of another project is: the guide goes on for a month, for users who can end it.
  const movePayment = (to: string, from: string, daysAgo: number): Promise<unknown> =>
    t.database.tx(ownerId, tx =>
      tx.execute(sql`
        update pay_record
        set project_code = ${to}, create_time = ${new Date(t.app.clock() - daysAgo * 86_400_000)}
        where owner_id = ${ownerId} and project_code = ${from}
      `),
    )
  await movePayment('ELSEWHERE', projectCode, 0)
  expect(await t.call(getGuideState, undefined, me)).toEqual({ open: true })
  await movePayment('ELSEWHERE', 'ELSEWHERE', 40)
  expect(await t.call(getGuideState, undefined, me)).toEqual({ open: false })
  await movePayment(projectCode, 'ELSEWHERE', 0)
  const messagesOfTasks = async () =>
    (await t.call(listNotifications, { size: 100 }, me)).rows.filter(m => m.kind === 'system.task')
  await expect.poll(messagesOfTasks).toHaveLength(1)
  const { rows } = await t.call(removeSample, undefined, me)
  expect(await messagesOfTasks()).toEqual([])
  expect(rows).toBeGreaterThan(20)
  expect(await countLiveRows()).toEqual(before)
  expect((await t.call(getSetupGuide, {}, me)).sampleCode).toBeUndefined()
  await expect(t.call(removeSample, undefined, me)).rejects.toThrow('没有示例数据')
  expect((await t.call(listEstates, { size: 100 }, me)).rows.map(e => e.projectCode)).not.toContain(
    projectCode,
  )
  expect((await t.call(listResidents, { name: '示例业主' }, me)).total).toBe(0)
  expect((await t.call(listItems, { size: 500 }, me)).rows.some(i => i.name.startsWith('示例费'))).toBe(false)
})

it('a sample with money of a channel stays, because its bill must be reconciled', async () => {
  const { projectCode } = await t.call(startSample, undefined, me)
  await fillSample(projectCode)
  const [bill] = await unpaidBills(projectCode)
  await t.database.tx('*', tx =>
    tx.execute(sql`
      insert into pay_order (
        owner_id, project_code, order_no, order_type, amount, order_obj, order_body, order_main, channel,
        transaction_id, expire_time, state
      )
      values (
        ${ownerId}, ${projectCode}, 'SL-1', 10, 1, '1', '1', '1', 10, 'T-SL-1',
        ${new Date('2026-11-21T00:00:00Z')}, 30
      )
    `),
  )
  await expect(t.call(removeSample, undefined, me)).rejects.toThrow('线上收款 1 笔')
  expect((await unpaidBills(projectCode)).map(b => b.id)).toContain(defined(bill).id)
})

it('the workbench shows the guide until money has come in or somebody has closed it', async () => {
  const other = await t.signedInAs(golden.second.owner)
  expect(await t.call(getGuideState, undefined, other)).toEqual({ open: true })
  const waiting = async () => (await t.call(getWorkQueues, undefined, other)).queues.map(q => q.path)
  expect(await waiting()).not.toContain(guidePath)
  await t.call(closeGuide, { closed: true }, other)
  expect(await t.call(getGuideState, undefined, other)).toEqual({ open: false })
  // Who passed over it finds back to it until the first money.
  expect(await waiting()).toContain(guidePath)
  expect(await t.call(getGuideState, undefined, me)).toEqual({ open: true })
  await t.call(closeGuide, { closed: false }, other)
  expect(await t.call(getGuideState, undefined, other)).toEqual({ open: true })
})

it('the steps count what exists in the company, within the data domain', async () => {
  const stepsFor = async (as: CallOptions) =>
    defined(
      (await t.call(getSetupGuide, { projectCode: 'GOLD0001' }, as)).steps.find(s => s.step === 'estate'),
    )
  expect((await stepsFor(me)).count).toBeGreaterThan(1)
  const oneEstate = await t.signedInAs(golden.first.estateOnly)
  await expect(t.call(getSetupGuide, { projectCode: 'GOLD0002' }, oneEstate)).rejects.toThrow()
})

it('the step of binding is not done while rooms are without a charge, and names them', async () => {
  const projectCode = 'UNBOUND1'
  await fillSample(projectCode)
  const bindingOf = async () => {
    const guide = await t.call(getSetupGuide, { projectCode }, me)
    return { ...guide, done: guide.steps.find(s => s.step === 'binding')?.done }
  }
  expect(await bindingOf()).toMatchObject({ unboundRooms: 0, done: true })
  const [built] = (await t.call(listBuildings, { projectCode }, me)).rows
  await t.call(
    addRoomBatch,
    {
      projectCode,
      buildCode: defined(defined(built).code),
      floorFrom: 1,
      floorTo: 2,
      perFloor: 3,
      roomType: 'home',
      roomState: 'vacant',
    },
    me,
  )
  expect(await bindingOf()).toMatchObject({
    unboundRooms: 2,
    done: false,
    unboundNames: ['1-1-103', '1-1-203'],
  })
})

it('the step of the first bills counts no bills that were abolished', async () => {
  const projectCode = 'ABOLISH1'
  await fillSample(projectCode)
  const billStep = async () =>
    defined((await t.call(getSetupGuide, { projectCode }, me)).steps.find(s => s.step === 'bill'))
  expect((await billStep()).count).toBeGreaterThan(0)
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      update bill
      set state = ${code(billState, 'abolished')}
      where owner_id = ${ownerId} and project_code = ${projectCode} and ${notDeleted()}
    `),
  )
  expect(await billStep()).toMatchObject({ count: 0, done: false })
})
