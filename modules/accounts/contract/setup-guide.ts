import { call } from '#kit/contract/call.ts'
import { choice, choiceTable, flag, int } from '#kit/contract/field.ts'
import { noData, listOfRows } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

/** What a company sets up before it can work, in order. */
export const guideStep = choiceTable('GuideStep', '初始化步骤', {
  company: [10, '公司信息'],
  estate: [20, '项目'],
  building: [30, '楼宇'],
  room: [40, '房间'],
  role: [50, '角色'],
  manager: [60, '管理员'],
})

/**
 * Each step with what is there, counted anew at every look; the company step counts its filled fields. Within
 * the data domain.
 */
export const getSetupGuide = call({
  route: 'GET Property/GetGuide',
  title: '初始化进度',
  needs: menu.company.permissions.view,
  input: noData,
  output: listOfRows({
    step: choice('步骤', guideStep, { required: true, wire: 'Step' }),
    done: flag('已完成', { required: true, wire: 'Done' }),
    count: int('数量', { required: true, min: 0, wire: 'Count' }),
  }),
})
