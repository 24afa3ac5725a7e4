import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { notDeleted } from '#kit/server/sql.ts'

const ledger = { ground: 'law', retention: 'ledger' } as const

registerPersonalData({
  tables: {
    deposit: { purpose: '押金', ...ledger, columns: { payer_name: 'keptName', remark: 'text' } },
    deposit_entry: {
      purpose: '押金流水',
      ...ledger,
      columns: { evidence: 'kept', operator_name: 'kept', reason: 'text' },
    },
  },
  blockers: [
    {
      label: '有余额的押金',
      advice: '请先在「押金」退还或转出',
      counts: {
        resident: ({ ownerId, ids, names }) => sql`
          select count(*)::int
          from deposit
          where owner_id = ${ownerId}
            and ${notDeleted()}
            and balance > 0
            and payer_name = any(${[...names]}::text[])
            and room_code in (
              select r.code
              from user_room l
              join room r on r.owner_id = ${ownerId} and r.owner_id = l.owner_id and r.id = l.room_id
              where l.owner_id = ${ownerId} and l.user_id = any(${[...ids]}::bigint[])
            )
        `,
      },
    },
  ],
})
