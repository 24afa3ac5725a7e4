import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'
import type { PeopleSql } from '#kit/server/personal-data/declaration.ts'

/** Orders of the cars of these people. */
const ofCars =
  (column: string): PeopleSql =>
  ({ ownerId, ids }) =>
    sql`
      t.car_id in (
        select c.id
        from car c
        where c.owner_id = ${ownerId} and ${sql.ref(`c.${column}`)} = any(${[...ids]}::bigint[])
      )
    `

registerPersonalData({
  tables: {
    park_month_order: {
      purpose: '车辆的月卡',
      ground: 'contract',
      people: { car: ofCars('id'), resident: ofCars('user_id'), companyWorker: ofCars('worker_id') },
      columns: { plate_no: { becomes: "'已删除'" }, reason: 'note', operator_name: 'kept' },
      exported: ['plate_no', 'months', 'new_begin', 'new_end', 'amount', 'paid_amount', 'paid_time', 'state'],
    },
  },
})
