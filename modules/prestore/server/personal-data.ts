import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'

const ledger = { ground: 'law', retention: 'ledger' } as const

registerPersonalData({
  tables: {
    prestore_account: {
      purpose: '预存账户',
      ...ledger,
      columns: { owner_name: 'keptName', remark: 'text' },
    },
    prestore_entry: {
      purpose: '预存流水',
      ...ledger,
      columns: { operator_name: 'kept', remark: 'text' },
    },
    prestore_transfer: {
      purpose: '预存转移',
      ...ledger,
      columns: {
        from_name: 'keptName',
        to_name: 'keptName',
        apply_name: 'kept',
        audit_name: 'kept',
        reason: 'text',
        audit_note: 'text',
      },
    },
  },
  blockers: [
    {
      label: '有余额的预存账户',
      advice: '请先在「预存」退款或转移',
      counts: {
        // Of rooms in which nobody else lives or applies to: there the balance is the others'.
        resident: ({ ownerId, ids }) => sql`
          select count(*)::int
          from prestore_account a
          join room r on r.owner_id = ${ownerId} and r.owner_id = a.owner_id and r.code = a.owner_code
          where a.owner_id = ${ownerId}
            and ${notDeleted('a')}
            and a.balance + a.gift_balance > 0
            and r.id in (
              select l.room_id
              from user_room l
              where l.owner_id = ${ownerId} and l.user_id = any(${[...ids]}::bigint[])
            )
            and not exists (
              select 1
              from user_room o
              where o.owner_id = ${ownerId}
                and o.room_id = r.id
                and ${notDeleted('o')}
                and o.status in ${codes(residencyStatus, 'pending', 'living')}
                and o.user_id <> all(${[...ids]}::bigint[])
            )
        `,
      },
    },
  ],
})
