import { choiceTable } from '#kit/contract/field.ts'

export const staffState = choiceTable('StaffState', '员工状态', {
  active: [10, '在职', 'done'],
  trial: [20, '试用', 'doing'],
  left: [30, '离职', 'off'],
})

export const staffGender = choiceTable('StaffGender', '性别', {
  unknown: [0, '未知'],
  male: [1, '男'],
  female: [2, '女'],
})

/** 0§9: 0–4 the left hand from the little finger to the thumb, 5–9 the right hand from the thumb. */
export const finger = choiceTable('FingerNo', '手指', {
  leftLittle: [0, '左手小指'],
  leftRing: [1, '左手无名指'],
  leftMiddle: [2, '左手中指'],
  leftIndex: [3, '左手食指'],
  leftThumb: [4, '左手拇指'],
  rightThumb: [5, '右手拇指'],
  rightIndex: [6, '右手食指'],
  rightMiddle: [7, '右手中指'],
  rightRing: [8, '右手无名指'],
  rightLittle: [9, '右手小指'],
})
