import type pg from 'pg'
import { codeOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { payState } from '#modules/bills/contract/choices.ts'

export interface UnpaidBill {
  readonly id: Id
  readonly project: string
  readonly no: string
  readonly code: string
  readonly sum: string
}

type Send = <Row extends pg.QueryResultRow>(
  statement: string,
  text: string,
  values: unknown[],
) => Promise<pg.QueryResult<Row>>

/** The bill is locked and paid, with its month. */
async function payBill(send: Send, ownerId: Id, bill: UnpaidBill): Promise<void> {
  await send('lock', 'select * from bill where owner_id = $1 and id = $2 for update', [ownerId, bill.id])
  await send(
    'paid',
    `
      update bill
      set paid_principal = $3,
        pay_state = ${codeOf(payState, 'paid')},
        pay_time = now(),
        version = version + 1,
        update_time = now()
      where owner_id = $1 and id = $2
    `,
    [ownerId, bill.id, bill.sum],
  )
  await send('unmonth', 'delete from bill_month where owner_id = $1 and bill_id = $2', [ownerId, bill.id])
  await send(
    'month',
    `
      insert into bill_month (
        owner_id, bill_id, month, project_code, fee_item_id, days, receivable, discount, paid
      )
      values ($1, $2, '2026-11', $3, 1, 30, $4, 0, $4)
    `,
    [ownerId, bill.id, bill.project, bill.sum],
  )
}

/** The record of the payment with the next receipt number; returns its id. */
async function insertRecord(send: Send, ownerId: Id, bill: UnpaidBill): Promise<string> {
  const receipt = await send<{ last: number }>(
    'receipt',
    `
      insert into receipt_counter (owner_id, project_code, year, last)
      values ($1, $2, 2026, 1)
      on conflict (owner_id, project_code, year) do update set last = receipt_counter.last + 1
      returning last
    `,
    [ownerId, bill.project],
  )
  const record = await send<{ id: string }>(
    'record',
    `
      insert into pay_record (
        owner_id, project_code, record_no, record_type, receipt_no, source_name, build_code, payer_name,
        principal_amount, tendered_amount, pay_method, methods, pay_time, pay_day, cashier_id, cashier_name,
        state
      )
      values (
        $1, $2, next_code('SK'), 10, '2026-' || lpad($3::text, 6, '0'), '1-1-1', 'B001', '住户', $4, $4, 10,
        $5, now(), current_date, 1, '基准', 10
      )
      returning id
    `,
    [
      ownerId,
      bill.project,
      defined(receipt.rows[0]).last,
      bill.sum,
      JSON.stringify([{ method: 'cash', amount: 100 }]),
    ],
  )
  return defined(record.rows[0]).id
}

/** What refers to the record: its detail, line, move and audit entry. */
async function insertRecordParts(send: Send, ownerId: Id, bill: UnpaidBill, id: string): Promise<void> {
  await send(
    'detail',
    `
      insert into pay_detail (
        owner_id, record_id, bill_id, bill_no, source_type, source_code, source_name, fee_item_id,
        fee_item_name, begin_date, end_date, principal, late_fee
      )
      values ($1, $2, $3, $4, 10, $5, '1-1-1', 1, '物业费', '2026-11-01', '2026-11-30', $6, 0)
    `,
    [ownerId, id, bill.id, bill.no, bill.code, bill.sum],
  )
  await send(
    'line',
    'insert into pay_line (owner_id, record_id, seq, method, amount) values ($1, $2, 0, 10, $3)',
    [ownerId, id, bill.sum],
  )
  await send(
    'move',
    `
      insert into bill_move (
        owner_id, bill_id, day, principal, late_fee, off, waived, ref_type, ref_id, create_by
      )
      values ($1, $2, current_date, $3, 0, 0, 0, 'pay', $4, 1)
    `,
    [ownerId, bill.id, bill.sum, id],
  )
  await send(
    'audit',
    `
      insert into audit_log (
        owner_id, operator_id, operator_name, ip, request_id, action, entity, entity_id, project_code, after
      )
      values ($1, 1, '基准', '', 'x', 'insert', 'payRecord', $2, $3, $4)
    `,
    [ownerId, id, bill.project, JSON.stringify({ received: bill.sum })],
  )
}

/**
 * The same rows by nothing but the driver: the bill locked and written, its month, move, record, detail,
 * line, receipt, audit and the request's key, in as few statements as they are tables.
 */
export async function settleDirectly(
  client: pg.Client,
  ownerId: Id,
  bill: UnpaidBill,
  position: number,
): Promise<void> {
  const send: Send = (statement, text, values) => client.query({ name: statement, text, values })
  await client.query('begin')
  await send(
    'key',
    'insert into idempotent_request (owner_id, operator_id, call, uuid, said) values ($1, 1, $2, $3, $4)',
    [ownerId, 'POST bare', `bare-${position}`, 'x'],
  )
  await payBill(send, ownerId, bill)
  await insertRecordParts(send, ownerId, bill, await insertRecord(send, ownerId, bill))
  await send(
    'answer',
    `
      update idempotent_request
      set answer = $4
      where owner_id = $1 and operator_id = 1 and call = $2 and uuid = $3
    `,
    [ownerId, 'POST bare', `bare-${position}`, JSON.stringify({ Code: 10000 })],
  )
  await client.query('commit')
}
