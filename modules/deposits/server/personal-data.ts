import { sql } from '#kit/server/db.ts'
import type { PeopleSql } from '#kit/server/personal-data/declaration.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { depositScreens } from '../module.ts'

const ledger = { ground: 'law', retention: 'ledger' } as const

/** Deposits hold no number of who paid: the name, in a room of the person. */
const paidBy: PeopleSql = ({ ownerId, ids, names }) => sql`
  (
    t.payer_name = any(${[...names]}::text[])
    and t.room_code in (
      select r.code
      from user_room l
      join room r on r.owner_id = ${ownerId} and r.owner_id = l.owner_id and r.id = l.room_id
      where l.owner_id = ${ownerId} and l.user_id = any(${[...ids]}::bigint[])
    )
  )
`

registerPersonalData({
  tables: {
    deposit: {
      purpose: '押金',
      ...ledger,
      people: { resident: paidBy },
      columns: { room_name: 'named', payer_name: 'keptName', remark: 'text' },
      exported: [
        'deposit_no',
        'kind',
        'room_name',
        'payer_name',
        'amount',
        'balance',
        'receive_time',
        'state',
      ],
    },
    deposit_entry: {
      purpose: '押金流水',
      ...ledger,
      ownWith: ['deposit', 'deposit_id'],
      columns: { evidence: 'kept', operator_name: 'kept', reason: 'text' },
      exported: ['entry_type', 'amount', 'balance_after', 'entry_time', 'reason'],
    },
  },
  blockers: [
    {
      label: '有余额的押金',
      advice: '请先退还或转出',
      path: depositScreens.paths.list,
      found: {
        resident: people => sql`
          select t.deposit_no as number
          from deposit t
          where t.owner_id = ${people.ownerId} and ${notDeleted('t')} and t.balance > 0 and ${paidBy(people)}
        `,
      },
    },
  ],
})
