import { call, everyone } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, projectField, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, day, decimal, file, int, list, lookup, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { listOfRows, noData, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

export const projectType = choiceTable('ProjectType', '项目类型', {
  housing: [10, '住宅'],
  mall: [20, '商业'],
  office: [30, '写字楼'],
  park: [40, '园区/厂区'],
  dorm: [50, '宿舍/公寓'],
  parking: [60, '停车场'],
  mixed: [70, '综合'],
})

export const feeMode = choiceTable('FeeMode', '收费模式', {
  lump: [10, '包干制'],
  commission: [20, '酬金制'],
})

export const enabledState = choiceTable('State', '状态', {
  on: [10, '启用', 'done'],
  off: [20, '停用', 'off'],
})

/** A row's estate, by its code; every entity of a project names it so. */
export const estateField = <const R extends boolean = true>(
  options: { required?: R; wire?: string | readonly string[] } = {},
): ReturnType<typeof projectField<R>> =>
  projectField('项目', { target: 'estate', targetBy: 'key', ...options })

/**
 * The building of the record that a row belongs to: those who have buildings of a project alone see the rows
 * of their records, and none of a record without a building (PERM-6); such rows only where they are
 * shared.
 */
export const buildingThrough = (
  reference: string,
  options: { readonly sharedWithoutBuilding?: boolean } = {},
) =>
  lookup('楼栋', reference, 'buildCode', {
    ...options,
    dataDomain: 'building',
    wire: 'Buildcode',
    hiddenIn: ['table', 'sheet', 'detail'],
  })

/** An estate is its own project: its code is what everything else of it carries (BASE-1). */
export const estate = entity(
  'estate',
  '项目',
  { table: 'estate', tenancy: 'project', key: 'projectCode', title: 'name', order: ['sort', 'projectCode'] },
  {
    projectCode: text('项目编码', {
      required: true,
      min: 8,
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      dataDomain: 'project',
      wire: 'Projectcode',
      searchable: true,
      help: '8–20 位字母或数字，保存后不能修改',
    }),
    name: text('项目名称', { required: true, max: 60, wire: ['Name', 'ProjectName'], searchable: true }),
    projectType: choice('项目类型', projectType, { required: true, initial: 'housing' }),
    projectNo: text('项目编号', { max: 30 }),
    manager: text('负责人', { max: 20, searchable: true }),
    managerPhone: text('负责人电话', { max: 20, rule: rules.phone }),
    servicePhone: text('服务电话', { max: 20, rule: rules.phone, hiddenIn: ['table'] }),
    provinceName: text('省', { max: 20, hiddenIn: ['table'] }),
    cityName: text('市', { max: 20, hiddenIn: ['table'] }),
    districtName: text('区县', { max: 20, hiddenIn: ['table'] }),
    address: text('详细地址', { max: 120, wire: 'ProjectjAddress' }),
    zoneCode: text('区划代码', { rule: rules.zoneCode, hiddenIn: ['table'], help: '12 位数字' }),
    longitude: decimal('经度', { min: -180, max: 180, hiddenIn: ['table'] }),
    latitude: decimal('纬度', { min: -90, max: 90, hiddenIn: ['table'] }),
    alarmPhone: list('报警电话', {
      max: 10,
      rule: rules.phone,
      hiddenIn: ['table'],
      help: '设备报警时依次拨打，多个用逗号分隔',
    }),
    alarmEmail: list('报警邮箱', { max: 10, rule: rules.email, hiddenIn: ['table'], help: '多个用逗号分隔' }),
    landArea: decimal('占地面积', { unit: '㎡', min: 0, max: 99999999, hiddenIn: ['table'] }),
    buildArea: decimal('总建筑面积', { unit: '㎡', min: 0, max: 99999999 }),
    greenRate: decimal('绿化率', {
      scale: 8,
      min: 0,
      max: 1,
      hiddenIn: ['table'],
      help: '0–1 之间的小数，如 0.35',
    }),
    houseCount: int('规划户数', { min: 0, max: 999999 }),
    deliverDate: day('交付日期'),
    feeMode: choice('收费模式', feeMode, { hiddenIn: ['table'] }),
    logo: file('图片', { wire: 'LogoUrl', hiddenIn: ['table', 'filter', 'sheet'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
    sort: int('排序', { min: 0, max: 999999, initial: 0, hiddenIn: ['table', 'filter'] }),
  },
)

export type Estate = Row<typeof estate>

/** The project record says ProjectName, the list says Name ([S]); both are written. */
const projectNameSpelling = { name: ['ProjectName', 'Name'] } as const

export const estates = crud(estate, {
  path: 'estate',
  permissions: menu.estate.permissions,
  operations: ['list', 'add', 'edit', 'delete'],
  filters: ['name', 'projectType', 'state', 'provinceName', 'deliverDate'],
  allProjects: true,
  sums: ['buildArea', 'houseCount'],
  wireNames: projectNameSpelling,
  draftWireNames: projectNameSpelling,
  list: {
    route: 'GET estate/getestatelist',
    aliases: ['estate/get', 'POST Wxtoestate/GetEstateByOwnerId'],
    needs: everyone,
    wireNames: { name: ['Name', 'ProjectName'] },
  },
  add: { route: 'POST estate/post' },
  edit: { route: 'PUT estate/put' },
})

export const { list: listEstates, add: addEstate, edit: editEstate, delete: deleteEstates } = estates

export const getEstate = call({
  route: 'GET project/getbycode',
  title: '查看项目',
  needs: menu.estate.permissions.view,
  input: shape({
    code: text('项目编码', {
      required: true,
      max: 20,
      dataDomain: 'project',
      wire: ['Projectcode', 'code', 'ProjectCode'],
    }),
  }),
  output: recordOf(estate, { wireNames: projectNameSpelling }),
})

const settingFields = {
  key: text('参数', { required: true, max: 40, wire: 'SettingKey' }),
  value: text('取值', { max: 500, wire: 'SettingValue' }),
  label: text('名称', { derived: true, wire: 'Label' }),
  help: text('说明', { derived: true, wire: 'Remark' }),
}

const projectInput = { projectCode: text('项目编码', { required: true, max: 20, dataDomain: 'project' }) }

export const listEstateSettings = call({
  route: 'GET estate/GetSetting',
  title: '查看项目参数',
  needs: menu.estate.permissions.view,
  input: shape(projectInput),
  output: listOfRows(settingFields),
})

export const updateEstateSetting = call({
  route: 'PUT estate/PutSetting',
  title: '修改项目参数',
  needs: menu.estate.permissions.set,
  input: shape({ ...projectInput, key: settingFields.key, value: settingFields.value }),
  output: noData,
  affects: ['estateSetting'],
})
