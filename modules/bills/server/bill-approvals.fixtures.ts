import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { formatYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import type { ApprovalKindKey } from '#modules/approvals/contract/choices.ts'
import { refuseRequest, resubmitRequest } from '#modules/approvals/contract/instance-actions.ts'
import { getInstanceOfRecord } from '#modules/approvals/contract/instance.ts'
import { processes, setProcessState } from '#modules/approvals/contract/process.ts'

/** What a test says of a bill: paid in part or as a whole, paid and refunded, abolished. */
export const billFates = ['open', 'part', 'paid', 'voided', 'abolished'] as const
export type BillFate = (typeof billFates)[number]

/** Bills of an item, an approver, and definitions with a limit. */
export async function openBillApprovals(itemCode: string, app?: GoldenApp) {
  const t = app ?? (await openGoldenApp())
  const me = await t.owner
  const item = await t.addFeeItem(itemCode, { name: '账单审批', multi: true })
  const clerk = await t.addClerk([])
  const reader = t.database.reader(t.ownerId)
  const approver = defined(
    await reader.one<{ id: Id }>(sql`select id from manager where login_code = ${clerk.loginCode}`),
  )
  const run = (statement: ReturnType<typeof sql>) => t.database.tx(t.ownerId, tx => tx.execute(statement))
  let n = 0

  const setMoney = (id: Id, fate: Exclude<BillFate, 'abolished'>) => {
    const share = { open: '0', voided: '0', part: '0.25', paid: '1' }[fate]
    return run(sql`
      update bill
      set paid_principal = amount * ${share}::numeric, pay_state = ${fate === 'paid' ? 1 : 0}
      where owner_id = ${t.ownerId} and id = ${id}
    `)
  }
  const approvalOf = async (bizType: ApprovalKindKey, bizId: Id) =>
    t.call(getInstanceOfRecord, { bizType, bizId }, me)

  return {
    t,
    me,
    approver: clerk.as,
    run,
    /** Above the limit, in yuan, the clerk is asked. */
    define: (bizType: ApprovalKindKey, limit: string) =>
      t.call(
        processes.save,
        {
          bizType,
          processName: `${itemCode} ${bizType} ${++n}`,
          nodes: [
            {
              key: 'n1',
              name: '财务审批',
              rule: 'people',
              managerIds: [String(approver.id)],
              mode: 'all',
              refuseTo: 'requester',
              conditions: [{ field: 'amount', operator: 'more', value: limit }],
            },
          ],
          emptyPolicy: 'administrator',
          skipsRepeated: true,
          state: 'on',
        },
        me,
      ),
    stop: (id: Id) => t.call(setProcessState, { id, state: 'off' }, me),
    /** A temporary bill: its amount may be edited. */
    async addBill(amount: Fen): Promise<Id> {
      const no = `${itemCode}${++n}`
      const added = await t.database.tx(t.ownerId, tx =>
        tx.one<{ id: Id }>(sql`
          insert into bill (
            owner_id, project_code, bill_no, source_type, source_code, source_name, fee_item_id,
            fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state,
            bill_source, run_split_root
          )
          values (
            ${t.ownerId}, 'GOLD0001', ${no}, 10, ${no}, '1-1-101', ${item}, '账单审批', 10, '2026-09-01',
            '2026-09-30', '2026-09', ${formatYuan(amount)}::numeric, '2026-12-13', 20, 20, 0
          )
          returning id
        `),
      )
      return defined(added).id
    },
    billOf: async (id: Id) =>
      defined(
        await reader.one<{ state: number; off: string; all: string }>(sql`
          select state, discount_amount::text as off, to_jsonb(bill)::text as all
          from bill
          where owner_id = ${t.ownerId} and id = ${id}
        `),
      ),
    setPaying: (id: Id, isPaying: boolean) =>
      run(sql`
        update bill
        set lock_until = ${isPaying ? '2099-01-01 00:00:00+08' : null}::timestamptz
        where owner_id = ${t.ownerId} and id = ${id}
      `),
    findResident: async () =>
      defined(
        await reader.one<{ id: Id }>(
          sql`select id from resident where owner_id = ${t.ownerId} order by id limit 1`,
        ),
      ).id,
    async setFate(id: Id, fate: BillFate) {
      if (fate === 'abolished')
        return run(sql`update bill set state = 30 where owner_id = ${t.ownerId} and id = ${id}`)
      if (fate === 'voided') {
        await setMoney(id, 'paid')
      }
      return setMoney(id, fate)
    },
    approvalOf,
    giveBack: (id: Id) => t.call(refuseRequest, { id, opinion: '请修改', refuseTo: 'requester' }, clerk.as),
    amend: (id: Id, form: object) => t.call(resubmitRequest, { id, form: JSON.stringify(form) }, me),
  }
}
