import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { Faults } from '#kit/web/form/use-form.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { carGroups, listGroupParks, listGroupPlates, type CarGroup } from '../contract/car-group.ts'
import { carGroupScreens } from '../module.ts'
import './parking.css'

const plateColumns = buildColumns(listGroupPlates.output, [
  { key: 'priority', width: 80 },
  { key: 'plateNo', identity: true },
  'carKind',
  'endDate',
  'carState',
]).map(withoutSorting)

const heightOf = (rows: readonly unknown[]) => ({ height: (rows.length + 1) * 40 + 12 })

/** The plates in their order, with the car of each where one is registered. */
function GroupPlates({ group }: { readonly group: CarGroup }) {
  const rows = useCall(listGroupPlates, { groupId: group.id }, { quiet: true })
  return (
    <Loaded query={rows} height={240} rows={4} keepsAnswer>
      {answer => (
        <div className="group-rows" style={heightOf(answer)}>
          <DataTable rows={answer} columns={plateColumns} keyOf={row => row.plateNo} label="车牌" />
        </div>
      )}
    </Loaded>
  )
}

const parkColumns = buildColumns(listGroupParks.output, [
  { key: 'name', identity: true },
  'code',
  'state',
]).map(withoutSorting)

function GroupParks({ group }: { readonly group: CarGroup }) {
  const rows = useCall(listGroupParks, { groupId: group.id }, { quiet: true })
  return (
    <Loaded query={rows} height={160} rows={3} keepsAnswer>
      {answer => (
        <div className="group-rows" style={heightOf(answer)}>
          <DataTable rows={answer} columns={parkColumns} keyOf={row => row.parkId} label="车场" />
        </div>
      )}
    </Loaded>
  )
}

interface OwnerValues {
  readonly userId?: number
  readonly companyId?: number
}

function validateGroup({ placeCount, plateNos, beginDate, endDate }: Partial<CarGroup>): Faults {
  const isTooMany = placeCount !== undefined && plateNos !== undefined && placeCount > plateNos.length
  return {
    ...(isTooMany ? { placeCount: `车位数不能多于车牌数（${plateNos.length} 个）` } : {}),
    ...(beginDate && endDate && endDate < beginDate ? { endDate: '有效期止不能早于有效期起' } : {}),
  }
}

export const pages = crudPages(carGroups, {
  paths: carGroupScreens.paths,
  unit: '个分组',
  deletion: {
    consequences: ['组内车辆不再共用车位，未单独登记有效期的随即转临停'],
    reasons: ['录入有误', '车位已退'],
  },
  columns: [
    { key: 'groupName', identity: true, grow: 1 },
    'userName',
    { key: 'companyName', hidePriority: 1 },
    'placeCount',
    'plateCount',
    { key: 'switchOnLeave', hidePriority: 2 },
    { key: 'beginDate', hidePriority: 2 },
    { key: 'endDate', hidePriority: 1 },
    'state',
  ],
  list: { barFilters: ['state', 'plateNo'], keywordPlaceholder: '组名、车牌' },
  detail: [
    { title: '分组', keys: ['groupName', 'state', 'userName', 'companyName'] },
    {
      title: '车位与有效期',
      keys: ['placeCount', 'plateCount', 'switchOnLeave', 'beginDate', 'endDate'],
    },
    { title: '其他', keys: ['remark', 'createTime', 'updateTime'] },
  ],
  tabs: [
    { key: 'plates', label: '车牌', inDrawer: true, body: group => <GroupPlates group={group} /> },
    { key: 'parks', label: '车场', inDrawer: true, body: group => <GroupParks group={group} /> },
  ],
  form: {
    rules: validateGroup,
    groups: [
      {
        title: '分组',
        keys: [
          'groupName',
          'state',
          { key: 'userId', isHidden: (values: OwnerValues) => values.companyId !== undefined },
          { key: 'companyId', isHidden: (values: OwnerValues) => values.userId !== undefined },
        ],
      },
      {
        title: '车位与车牌',
        keys: [
          { key: 'parkIds', wide: true },
          'placeCount',
          'switchOnLeave',
          { key: 'plateNos', wide: true, help: '输入车牌后按回车；按优先级从高到低' },
        ],
      },
      { title: '有效期与其他', keys: ['beginDate', 'endDate', { key: 'remark', wide: true }] },
    ],
  },
})
