import { choiceTable } from '#kit/contract/field.ts'

/** C13 */
export const inspectionState = choiceTable('CheckroomState', '验房状态', {
  waiting: [10, '待查', 'todo'],
  inspecting: [20, '查验中', 'doing'],
  passed: [30, '合格', 'done'],
  rectifying: [40, '待整改', 'bad'],
  rectified: [50, '待复查', 'todo'],
  recheckPassed: [60, '复查合格', 'done'],
})

export const findingResult = choiceTable('CheckroomResult', '查验结果', {
  passed: [10, '合格', 'done'],
  problem: [20, '问题', 'bad'],
  notApplicable: [30, '不适用', 'off'],
})

export const recheckResult = choiceTable('CheckroomRecheck', '复查结果', {
  passed: [10, '已整改', 'done'],
  failed: [20, '未整改', 'bad'],
})

/** The usual standards that a company begins with. */
export const standardSet = choiceTable('CheckroomStandardSet', '标准模板', {
  bare: [10, '毛坯房'],
  decorated: [20, '精装房'],
})
