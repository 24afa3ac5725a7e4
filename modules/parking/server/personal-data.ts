import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'
import type { ByPersonKind, PeopleSql } from '#kit/server/personal-data/declaration.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { carState } from '../contract/car-labels.ts'
import { licencePlateKind, normalizePlate } from '../contract/licence-plate.ts'
import { carGroupScreens, carScreens } from '../module.ts'

/** Cars in use of these people, by the column that names them. */
const carsInUse =
  (column: string): PeopleSql =>
  ({ ownerId, ids }) =>
    sql`
      select plate_no as number
      from car
      where owner_id = ${ownerId}
        and ${sql.ref(column)} = any(${[...ids]}::bigint[])
        and ${notDeleted()}
        and car_state in ${codes(carState, 'pending', 'normal', 'expired', 'suspended', 'blocked')}
    `

/** Validity changes of the cars of these people. */
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

/** Rows `t` of people to whom a car with the plate belongs, registered once or now. */
const ownersOf = (ownerId: Id, plateNo: string, column: string) => sql`
  t.id in (
    select ${sql.ref(`c.${column}`)}
    from car c
    where c.owner_id = ${ownerId} and c.plate_no = ${plateNo}
  )
`

function ofPlate(ownerId: Id, keyword: string): ByPersonKind<RawBuilder<unknown>> {
  const plateNo = normalizePlate(keyword)
  if (licencePlateKind(plateNo) === undefined) return {}
  return {
    car: sql`t.plate_no = ${plateNo}`,
    resident: ownersOf(ownerId, plateNo, 'user_id'),
    companyWorker: ownersOf(ownerId, plateNo, 'worker_id'),
  }
}

registerPersonalData({
  searches: [{ conditions: ofPlate }],
  kinds: [
    {
      entity: 'car',
      label: '车主（车辆）',
      table: 'car',
      name: 'owner_name',
      mobiles: ['mobile'],
      isRepeated: true,
      naming: sql`t.user_id is null and t.worker_id is null`,
      place: () => sql`t.plate_no`,
    },
  ],
  tables: {
    park: { purpose: '车场备注', ground: 'records', columns: { remark: 'text' } },
    park_place: { purpose: '车位备注', ground: 'contract', columns: { remark: 'text' } },
    car: {
      purpose: '车辆的登记与通行',
      ground: 'contract',
      people: { car: inColumn('id'), resident: inColumn('user_id'), companyWorker: inColumn('worker_id') },
      columns: {
        plate_no: { becomes: "'已删除'" },
        owner_name: 'name',
        mobile: 'mobile',
        car_model: 'detail',
        car_color: 'detail',
        license: 'files',
        black_reason: 'note',
        remark: 'note',
        search_text: 'detail',
        delete_tag: { becomes: '-1' },
      },
      exported: [
        'plate_no',
        'car_kind',
        'car_model',
        'car_color',
        'owner_name',
        'mobile',
        'begin_date',
        'end_date',
        'car_state',
        'remark',
      ],
    },
    car_validity: {
      purpose: '车辆有效期的变动',
      ground: 'contract',
      people: { car: ofCars('id'), resident: ofCars('user_id'), companyWorker: ofCars('worker_id') },
      columns: { plate_no: { becomes: "'已删除'" }, reason: 'note', operator_name: 'kept' },
      exported: ['plate_no', 'change_type', 'old_begin', 'old_end', 'new_begin', 'new_end', 'create_time'],
    },
    car_group: {
      purpose: '共用车位的车辆',
      ground: 'contract',
      people: { resident: inColumn('user_id') },
      columns: {
        group_name: { becomes: "'已删除 ' || t.id" },
        plate_nos: { becomes: "'{}'::text[]" },
        remark: 'note',
      },
      exported: ['group_name', 'place_count', 'begin_date', 'end_date', 'state'],
    },
  },
  blockers: [
    {
      label: '未注销的车辆',
      advice: '请先在「车辆管理」注销车辆，黑名单的先移出黑名单',
      path: carScreens.paths.list,
      found: {
        car: carsInUse('id'),
        resident: carsInUse('user_id'),
        companyWorker: carsInUse('worker_id'),
      },
    },
    {
      label: '在用的车辆分组',
      advice: '请先停用或删除该分组',
      path: carGroupScreens.paths.list,
      found: {
        resident: ({ ownerId, ids }) => sql`
          select group_name as number
          from car_group
          where owner_id = ${ownerId}
            and user_id = any(${[...ids]}::bigint[])
            and ${notDeleted()}
            and state = ${code(enabledState, 'on')}
        `,
      },
    },
  ],
})
