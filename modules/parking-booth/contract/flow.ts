import { call } from '#kit/contract/call.ts'
import { choice, day, decimal, idOf, int, lines, money, text } from '#kit/contract/field.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { pageOfRows, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { parkPayMethod } from '#modules/parking-lanes/contract/choices.ts'
import { menu } from '../module.ts'

/** So many days are counted at most: all records of them are read. */
export const maxFlowDays = 92

const { permissions } = menu.flow

const asked = {
  projectCode: estateField<false>({ required: false }),
  parkId: idOf('停车场', { min: 1, wire: ['ParkID', 'ParkId'] }),
  dayFrom: day('起', { wire: ['BeginDate', 'DayFrom'] }),
  dayTo: day('止', { wire: ['EndDate', 'DayTo'] }),
} as const

const parkFields = {
  parkId: idOf('停车场', { required: true, wire: ['ParkID', 'ParkId'] }),
  parkName: text('停车场', { required: true }),
} as const

const flowFields = {
  inCount: int('入场', { required: true }),
  outCount: int('出场', { required: true }),
  avgMinutes: int('平均停留', { unit: '分钟' }),
  maxInside: int('最高在场', { required: true }),
  places: int('车位', { required: true }),
  turnover: decimal('周转次数', { scale: 2, help: '出场车次 ÷ 车位 ÷ 天数' }),
} as const

/** Cars and money of a time: the last seven days unless another is asked. */
export const getFlowStatistics = call({
  route: 'GET ParkingStatistics/Get',
  title: '停车统计',
  needs: permissions.view,
  input: shape(asked),
  output: shape(
    {
      dayFrom: day('起', { required: true, wire: ['BeginDate', 'DayFrom'] }),
      dayTo: day('止', { required: true, wire: ['EndDate', 'DayTo'] }),
      inCount: flowFields.inCount,
      outCount: flowFields.outCount,
      avgMinutes: flowFields.avgMinutes,
      income: money('收入', { required: true }),
      waived: money('免收', { required: true, help: '免费放行与改价未收的停车费' }),
      freeCount: int('免费放行', { required: true }),
      priceCount: int('改价', { required: true }),
      hours: lines(
        '各时段',
        {
          hour: int('时', { required: true }),
          inCount: flowFields.inCount,
          outCount: flowFields.outCount,
          inside: decimal('平均在场', { required: true, scale: 1 }),
        },
        { required: true, wire: 'Hours' },
      ),
      parks: lines('停车场', { ...parkFields, ...flowFields }, { required: true, wire: 'Parks' }),
      incomes: lines(
        '收入',
        {
          kind: text('类别', { required: true, wire: 'Kind' }),
          payMethod: choice('支付方式', parkPayMethod),
          amount: money('金额', { required: true }),
          count: int('笔数', { required: true }),
        },
        { required: true, wire: 'Incomes' },
      ),
    },
    { entity: 'parkingStay' },
  ),
})

/** The same by day and car park. */
export const listFlowDays = call({
  route: 'GET ParkingStatistics/GetDays',
  title: '停车日报',
  needs: permissions.view,
  input: shape({
    ...asked,
    page: int('页码', { wire: 'PageIndex', min: 1, max: 1_000_000 }),
    size: int('每页条数', { wire: 'PageSize', min: 1, max: 2000 }),
  }),
  output: pageOfRows(
    {
      day: day('日期', { required: true }),
      ...parkFields,
      ...flowFields,
      income: money('停车收费', { required: true, help: '当日收取的停车费，不含月卡' }),
    },
    { entity: 'parkingStay', sums: ['inCount', 'outCount', 'income'] },
  ),
})

export const exportFlowDays = declareExport({
  route: 'GET ParkingStatistics/GetExport',
  title: '导出停车日报',
  needs: permissions.export,
  list: listFlowDays,
})
