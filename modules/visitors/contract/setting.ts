import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { decimal, flag, int, money, text } from '#kit/contract/field.ts'
import { draftOf, pageOfRows, recordOf, search, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

/** VIS-7: for how many days visits that are over keep their names. */
export const keepDaysPeriod = { initial: 180, min: 30, max: 3650 } as const

/** How a project receives visitors; a project without a row has what a new one begins with. */
export const visitorSetting = entity(
  'visitorSetting',
  '访客设置',
  { table: 'visitor_setting', tenancy: 'project', title: 'projectCode', order: ['id'] },
  {
    projectCode: estateField(),
    overtimeMinutes: int('超时提醒', {
      required: true,
      initial: 30,
      min: 0,
      max: 1440,
      unit: '分钟',
      help: '到期后多久仍未离开，列入超时未离',
    }),
    keepDays: int('数据保留天数', {
      required: true,
      ...keepDaysPeriod,
      unit: '天',
      help: '来访结束后满此天数，清除访客的姓名、手机、证件、照片',
    }),
    asksPhoto: flag('核验时拍照', { required: true, initial: false, wire: 'AsksPhoto' }),
    asksItems: flag('登记携带物品', { required: true, initial: true, wire: 'AsksItems' }),
    asksTemperature: flag('测量体温', { required: true, initial: false, wire: 'AsksTemperature' }),
    maxTemperature: decimal('体温上限', {
      required: true,
      initial: '37.3',
      scale: 1,
      min: 36,
      max: 42,
      unit: '℃',
      help: '达到或超过的不予放行',
    }),
    printsSlip: flag('打印访客单', { required: true, initial: false, wire: 'PrintSlip' }),
    hostParkingLimit: money('被访人承担停车费上限', {
      min: 0,
      wire: 'HostParkingLimit',
      help: '一位访客一次邀访最多由被访人承担的停车费，记入其房屋的账单；不填不开放',
    }),
    notice: text('来访须知', { max: 500, help: '显示在访客的页面上' }),
  },
)

export type VisitorSetting = Row<typeof visitorSetting>

const { permissions } = menu.setting

export const getSetting = call({
  route: 'GET visitor/v1/Setting/Get',
  title: '查看访客设置',
  needs: permissions.view,
  input: shape({ projectCode: estateField<true>() }),
  output: recordOf(visitorSetting),
})

export const saveSetting = call({
  route: 'POST visitor/v1/Setting/Save',
  title: '保存访客设置',
  needs: permissions.edit,
  affects: ['visitorSetting'],
  input: draftOf(visitorSetting),
  output: recordOf(visitorSetting),
})

/** How far each project that the caller sees is set up for visitors, and what it has today. */
export const listEstates = call({
  route: 'GET visitor/v1/estate/Get',
  title: '查询各项目的访客情况',
  needs: permissions.view,
  input: search(visitorSetting, []),
  output: pageOfRows(
    {
      projectCode: estateField<true>(),
      estateName: text('项目', { required: true, wire: ['EstateName', 'ProjectName'] }),
      ruleCount: int('启用的规则', { required: true, wire: 'RuleCount' }),
      locationCount: int('启用的门岗', { required: true, wire: 'LocationCount' }),
      expectedCount: int('今日待访', { required: true, wire: 'ExpectedCount' }),
      insideCount: int('在访', { required: true, wire: 'InsideCount' }),
    },
    { entity: 'visitorSetting' },
  ),
})
