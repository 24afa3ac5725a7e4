import { choice, flag, lines, list, text } from '#kit/contract/field.ts'
import { questionKind } from './choices.ts'

/** A question of a project's own that those who invite answer. */
export const questionFields = {
  label: text('问题', { required: true, max: 40, wire: 'Label' }),
  kind: choice('填写方式', questionKind, { required: true, initial: 'text', wire: 'Kind' }),
  options: list('选项', { max: 20, wire: 'Options', help: '单选时填写，至少两个' }),
  isRequired: flag('必答', { required: true, initial: false, wire: 'Required' }),
} as const

export const maxQuestions = 20

/** Answers carry the question as it was asked: a rule may change later. */
export const answerFields = {
  label: text('问题', { required: true, max: 40, wire: 'Label' }),
  answer: text('答案', { required: true, max: 200, wire: 'Answer' }),
} as const

export const answersField = lines('问题答案', answerFields, {
  max: maxQuestions,
  wire: 'Answers',
  hiddenIn: ['table', 'filter', 'sheet'],
})
