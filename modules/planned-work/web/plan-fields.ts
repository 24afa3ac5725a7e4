import type { FormFieldGroup, FormField } from '#kit/web/form/form-fields.tsx'
import type { WorkPlan } from '../contract/plan.ts'
import { CycleControl, StateControl } from './plan-controls.tsx'

type Values = Partial<WorkPlan>

/** The form of a plan: `subject` are the fields that say what is done, of the module that owns the kind. */
export const planFormGroups = (subject: readonly (string | FormField)[]): readonly FormFieldGroup[] => [
  { title: '计划', keys: ['planName', ...subject, { key: 'state', control: StateControl, wide: false }] },
  {
    title: '时间',
    keys: [
      'beginDate',
      'endDate',
      'cycleType',
      'calendarRule',
      {
        key: 'cycle',
        label: '执行日',
        control: CycleControl,
        wide: true,
        isHidden: (values: Values) => values.cycleType === undefined || values.cycleType === 'daily',
      },
      { key: 'times', wide: true },
    ],
  },
  { title: '人员', keys: ['staffMode', { key: 'staffIds', wide: true }] },
  { title: '提醒与截止', keys: ['remindMinutes', 'lateEndMinutes', { key: 'remark', wide: true }] },
]

/** What a new plan begins with. */
export const newPlan = {
  cycleType: 'daily',
  calendarRule: 'always',
  staffMode: 'rotation',
  remindMinutes: 15,
  lateEndMinutes: 30,
  state: 'enabled',
} satisfies Values
