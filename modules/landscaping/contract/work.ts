import { call } from '#kit/contract/call.ts'
import { idOf } from '#kit/contract/field.ts'
import { recordOf, shape } from '#kit/contract/shape.ts'
import { kindCalls } from '#modules/planned-work/contract/kind-calls.ts'
import { menu } from '../module.ts'
import { greenTemplate } from './template.ts'

/** Plans and tasks of the care of green areas: templates over places, scored by weight. */
export const greeningWork = kindCalls({
  planPath: 'LandscapingPlan',
  taskPath: 'LandscapingTask',
  noun: '绿化',
  subjectLabel: '模板',
  targetLabel: '绿化区域',
  permissions: menu.plan.permissions,
})

/** What the tasks of a plan are made from. */
export const getTemplateOfPlan = call({
  route: 'GET Landscaping/gettemplatebyscheduleid',
  title: '按计划查看绿化模板',
  needs: menu.template.permissions.view,
  input: shape({ planId: idOf('计划', { required: true, min: 1, wire: ['ScheduleID', 'ScheduleId'] }) }),
  output: recordOf(greenTemplate),
})
