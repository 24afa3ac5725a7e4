import { call } from '#kit/contract/call.ts'
import { choice, choiceTable, day, decimal, idOf, int, lines, list, text } from '#kit/contract/field.ts'
import { idRule, listOfRows, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { orderCategory, orderState } from './choices.ts'

const needs = menu.statistics.permissions.view

/** The cohort: orders registered in the period (STAT-10); this month unless asked otherwise. */
const cohortOfKind = {
  projectCode: estateField<false>({ required: false }),
  dayFrom: day('起', { wire: ['BeginDate', 'DayFrom'] }),
  dayTo: day('止', { wire: ['EndDate', 'DayTo'] }),
  typeIds: list('类型', { max: 200, rule: idRule, wire: 'TypeIDs' }),
}

const cohort = { ...cohortOfKind, category: choice('大类', orderCategory) }

/**
 * A number with what lists its orders: `query` is the address of the list's filters
 * (`underTypeId=1&respOvertime=1`). Of a share the orders that are its numerator, and `outOf`
 * those that it is a share of.
 */
const figureFields = {
  key: text('指标', { required: true }),
  label: text('名称', { required: true }),
  /** For a share or an average two decimals; nothing where there is nothing to divide by (STAT-13). */
  value: decimal('数值'),
  unit: text('单位'),
  help: text('口径', { required: true }),
  count: int('分子', { required: true }),
  of: int('分母'),
  query: text('条件', { required: true }),
  outOf: text('分母条件'),
}

/** STAT-10: 及时响应率, 及时完成率, 返修率, 满意度, 关闭率, and the counts that they are made of. */
export const getOrderStatistics = call({
  route: 'GET Workorder/GetStatistics',
  aliases: ['SummeryReportStatistics/GetWorkOrderSummary', 'WordOrderStatistics/GetGlobalAssessment'],
  title: '工单统计',
  needs,
  input: shape(cohort),
  output: listOfRows(figureFields, { entity: 'workOrder' }),
})

/** The same of the orders that the caller handled. */
export const getMyAssessment = call({
  route: 'GET WordOrderStatistics/GetMyAssessment',
  title: '我的工单统计',
  needs: menu.order.permissions.view,
  input: shape(cohort),
  output: listOfRows(figureFields, { entity: 'workOrder' }),
})

const countWithQuery = {
  count: int('数量', { required: true }),
  query: text('条件', { required: true }),
}

/** Orders by state, as the workbench shows them. */
export const countByState = call({
  route: 'GET Workorder/GetWorkStatisticsCount',
  title: '工单状态数量',
  needs: menu.order.permissions.view,
  input: shape(cohort),
  output: listOfRows(
    {
      state: choice('状态', orderState, { required: true }),
      ...countWithQuery,
    },
    { entity: 'workOrder' },
  ),
})

export const countPerDay = call({
  route: 'GET WordOrderStatistics/GetWorkOrderCountPerDay',
  title: '每日工单数量',
  needs,
  input: shape(cohort),
  output: listOfRows(
    {
      day: day('日期', { required: true }),
      registered: int('登记', { required: true }),
      finished: int('其中已处理完成', { required: true }),
      late: int('其中超时', { required: true }),
      query: text('条件', { required: true }),
    },
    { entity: 'workOrder' },
  ),
})

/** Complaints by their type, the most frequent first. */
export const countByComplaint = call({
  route: 'GET WordOrderStatistics/GetCountByWorkOrderComplaintItem',
  title: '投诉类型分布',
  needs,
  input: shape(cohortOfKind),
  output: listOfRows(
    {
      typeId: idOf('类型', { required: true, wire: 'TypeID' }),
      typeName: text('类型', { required: true }),
      ...countWithQuery,
    },
    { entity: 'workOrder' },
  ),
})

/** Averages of real ratings by what was rated (the specification spells the name so). */
export const getEvaluationRadar = call({
  route: 'GET WordOrderStatistics/GetWorkOrderEvaludationRadar',
  title: '评价雷达图',
  needs,
  input: shape(cohort),
  output: listOfRows(
    {
      key: text('维度', { required: true }),
      label: text('名称', { required: true }),
      average: decimal('平均分', { scale: 2 }),
      ...countWithQuery,
    },
    { entity: 'workOrderEvaluation' },
  ),
})

export const efficiencyBy = choiceTable('WorkorderEfficiencyBy', '汇总方式', {
  handler: [1, '处理人'],
  type: [2, '类型'],
  project: [3, '项目'],
})

/** How fast and how well, by person, type or project. Minutes are wall-clock minutes. */
export const getDealEfficiency = call({
  route: 'GET WordOrderStatistics/GetDealEfficiency',
  title: '处理效率',
  needs,
  input: shape({
    ...cohort,
    by: choice('汇总方式', efficiencyBy, { initial: 'handler', wire: ['By', 'Type'] }),
  }),
  output: listOfRows(
    {
      key: text('对象', { required: true }),
      name: text('名称', { required: true }),
      total: int('工单', { required: true }),
      accepted: int('已接单', { required: true }),
      finished: int('已处理完成', { required: true }),
      respOvertime: int('响应超时', { required: true }),
      finishOvertime: int('完成超时', { required: true }),
      rework: int('返修', { required: true }),
      responseMinutes: decimal('平均响应分钟', { scale: 1 }),
      finishMinutes: decimal('平均完成分钟', { scale: 1 }),
      score: decimal('平均评分', { scale: 2 }),
      queries: lines(
        '条件',
        { figure: text('指标', { required: true }), query: text('条件', { required: true }) },
        { required: true },
      ),
    },
    { entity: 'workOrder' },
  ),
})
