import { sql } from '#kit/server/db.ts'
import type { ErasedPeople, PeopleSql } from '#kit/server/personal-data/declaration.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { clockScope } from '#kit/server/scope.ts'
import { holdersOf, selectKeysOfHolders, withdrawCredentials } from './sync/withdraw.ts'

const ofDoorway = { heading: '门', table: 'doorway', column: 'doorway_name', by: 'doorway_id' }

const byUserOrStaff = { resident: inColumn('user_id'), staff: inColumn('staff_id') }

/** What devices hold of the cards and faces of people. */
const itemsOf =
  (kind: 'resident' | 'staff'): PeopleSql =>
  ({ ownerId, ids }) =>
    sql`
    (t.project_code, t.item_key) in (
      select k.project_code, k.item_key from (${selectKeysOfHolders(ownerId, holdersOf(kind, ids))}) k
    )
  `

/** Faces and cards leave the controllers, whether somebody has ended them before or not. */
const withdraw =
  (kind: 'resident' | 'staff') =>
  ({ tx, app, ownerId, ids }: ErasedPeople): Promise<void> =>
    withdrawCredentials(tx, clockScope(app, ownerId), selectKeysOfHolders(ownerId, holdersOf(kind, ids)))

registerPersonalData({
  tables: {
    doorway: { purpose: '门的备注', ground: 'records', columns: { remark: 'text' } },
    doorway_group: { purpose: '门组的备注', ground: 'records', columns: { remark: 'text' } },
    intercom: { purpose: '可视对讲设备的备注', ground: 'records', columns: { remark: 'text' } },
    vip_doorway: {
      purpose: '门组之外可开的门',
      ground: 'contract',
      isDeleted: true,
      people: byUserOrStaff,
      columns: { remark: 'note' },
      exported: ['begin_date', 'end_date', 'state', 'remark'],
    },
    pass_code: {
      purpose: '凭手机通行的码',
      ground: 'contract',
      isDeleted: true,
      people: byUserOrStaff,
      columns: { end_reason: 'note' },
    },
    access_record: {
      purpose: '出入管理：何时何人经过何门',
      ground: 'contract',
      retention: 'passages',
      people: byUserOrStaff,
      columns: {
        person_name: 'name',
        card_no: 'detail',
        plate_no: 'detail',
        item_key: 'detail',
        reason: 'text',
        temperature: 'detail',
        picture: 'files',
        picture_fault: 'text',
      },
      exported: [
        'record_time',
        ofDoorway,
        'direction',
        'open_method',
        'open_status',
        'person_name',
        'card_no',
        'plate_no',
        'temperature',
      ],
    },
  },
  ownRows: { device_item: { resident: itemsOf('resident'), staff: itemsOf('staff') } },
  onErasing: { resident: withdraw('resident'), staff: withdraw('staff') },
  retention: [
    {
      key: 'passages',
      label: '通行记录',
      content: '人员、卡号、车牌与抓拍，连同记录，自通行之日起',
      basis: '反恐怖主义法第三十二条：采集的图像信息不少于九十日',
      unit: 'day',
      initial: 180,
      min: 90,
      max: 1000,
      steps: [{ table: 'access_record', due: ({ before }) => sql`t.create_time < ${before}` }],
    },
  ],
})
