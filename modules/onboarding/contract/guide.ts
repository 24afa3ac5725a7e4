import { call } from '#kit/contract/call.ts'
import { choice, choiceTable, flag, int, lines, list, text, type ChoiceOf } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

/** From an empty company to its first receipt, in order. */
export const guideStep = choiceTable('GuideStep', '初始化步骤', {
  company: [10, '公司信息'],
  estate: [20, '项目'],
  building: [30, '楼栋'],
  room: [40, '房间'],
  resident: [50, '住户'],
  fee: [60, '收费标准'],
  binding: [70, '收费关联'],
  bill: [80, '首期账单'],
  payment: [90, '首笔收款'],
  account: [100, '员工账号'],
})

export type GuideStep = ChoiceOf<typeof guideStep>

/**
 * Each step with what is there, counted at every request and within the data domain. The steps after 项目 count
 * one project: the asked one, else the newest.
 */
export const getSetupGuide = call({
  route: 'GET Property/GetGuide',
  title: '初始化进度',
  needs: menu.guide.permissions.view,
  input: shape({ projectCode: estateField<false>({ required: false }) }),
  output: shape({
    projectCode: text('项目编码'),
    projectName: text('项目名称'),
    sampleCode: text('示例项目编码'),
    closed: flag('已关闭', { required: true }),
    unboundRooms: int('未绑定的房间', { required: true, min: 0 }),
    /** The first of them. */
    unboundNames: list('未绑定房间的名称', { required: true }),
    steps: lines(
      '步骤',
      {
        step: choice('步骤', guideStep, { required: true, wire: 'Step' }),
        done: flag('已完成', { required: true, wire: 'Done' }),
        count: int('数量', { required: true, min: 0, wire: 'Count' }),
      },
      { required: true },
    ),
  }),
})

export type SetupGuide = NonNullable<typeof getSetupGuide.output.T>

/** Whether the workbench shows the guide: until somebody ends it, or money has come in for a month. */
export const getGuideState = call({
  route: 'GET Property/GetGuideState',
  title: '是否显示初始化向导',
  needs: menu.guide.permissions.view,
  input: noData,
  output: shape({ open: flag('显示', { required: true }) }),
})

export const closeGuide = call({
  route: 'PUT Property/PutGuide',
  title: '关闭或重新显示初始化向导',
  needs: menu.guide.permissions.edit,
  input: shape({ closed: flag('关闭', { required: true }) }),
  output: noData,
})
