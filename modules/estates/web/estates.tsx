import { useLocation } from 'react-router'
import { addressField } from '#kit/web/controls/address.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { useCall } from '#kit/web/query.ts'
import { estates, getEstate, listEstates, type Estate } from '../contract/estate.ts'
import { estateScreens } from '../module.ts'
import { EstateSettings } from './estate-settings.tsx'
import { proposedProjectCode } from './proposed-code.ts'
import { paths as linkedPaths } from './paths.ts'

const { paths } = estateScreens

/** A free code is offered; it can be changed until it is saved. */
function useProposedCode(): Partial<Estate> | null {
  const isAdding = useLocation().pathname === paths.add
  const { data, isError } = useCall(
    listEstates,
    { page: 1, size: 500 },
    { project: 0, quiet: true, enabled: isAdding, staleMs: 0 },
  )
  if (data) return { projectCode: proposedProjectCode(data.rows) }
  return isAdding && !isError ? null : {}
}

export const pages = crudPages(estates, {
  paths,
  unit: '个项目',
  deletion: {
    consequences: ['项目下还有楼栋、房间、车位或公共区域时不能删除'],
    reasons: ['录入有误', '项目已退出'],
  },
  loadBy: { param: 'code', paramOf: e => e.projectCode, call: getEstate, input: code => ({ code }) },
  actions: [{ label: '房态图', places: ['list'], run: () => navigateTo(linkedPaths.roomBoard) }],
  columns: [
    { key: 'name', identity: true },
    'projectCode',
    'projectType',
    { key: 'manager', hidePriority: 2 },
    { key: 'managerPhone', hidePriority: 2 },
    { key: 'address', hidePriority: 1 },
    'buildArea',
    'houseCount',
    { key: 'deliverDate', hidePriority: 1 },
    'state',
  ],
  list: { barFilters: ['projectType', 'state'], isDimmed: () => false, batchActions: [] },
  detail: [
    {
      title: '基本信息',
      keys: ['projectCode', 'projectNo', 'projectType', 'feeMode', 'deliverDate', 'logo'],
    },
    {
      title: '位置',
      keys: ['provinceName', 'cityName', 'districtName', 'address', 'zoneCode', 'longitude', 'latitude'],
    },
    {
      title: '联系与报警',
      keys: ['manager', 'managerPhone', 'servicePhone', 'alarmPhone', 'alarmEmail'],
    },
    { title: '规模', keys: ['landArea', 'buildArea', 'greenRate', 'houseCount'] },
  ],
  tabs: [
    {
      key: 'settings',
      label: '项目参数',
      inDrawer: true,
      body: e => <EstateSettings projectCode={e.projectCode} />,
    },
  ],
  form: {
    groups: [
      {
        title: '基本信息',
        keys: ['name', 'projectCode', 'projectType', 'projectNo', 'feeMode', 'deliverDate', 'state', 'sort'],
      },
      {
        title: '位置',
        keys: [
          { ...addressField(['provinceName', 'cityName', 'districtName']), wide: false },
          'address',
          'zoneCode',
          'longitude',
          'latitude',
        ],
      },
      {
        title: '联系与报警',
        keys: [
          'manager',
          'managerPhone',
          'servicePhone',
          { key: 'alarmPhone', wide: true },
          { key: 'alarmEmail', wide: true },
        ],
      },
      { title: '规模', keys: ['landArea', 'buildArea', 'greenRate', 'houseCount', 'logo'] },
    ],
    useInitial: useProposedCode,
    savedText: (_, isNew) => (isNew ? '已新增项目，接下来可以新增楼栋' : '已保存项目'),
  },
})
