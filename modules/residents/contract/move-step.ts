import { choice, lines, part, text, type ValueOf } from '#kit/contract/field.ts'
import { sectionTone } from '#modules/rooms/contract/labels.ts'

/** The operator's answers to the questions of the steps: `arrears` = `stay`. */
export const answers = lines(
  '选择',
  {
    key: text('事项', { required: true, max: 40, wire: 'Key' }),
    value: text('取值', { required: true, max: 60, wire: 'Value' }),
  },
  { max: 50, wire: 'Answers' },
)

/** What becomes of the parking places of a room; bills of released places stay with their payer. */
export const placesAnswer = { key: 'places', withRoom: 'room', released: 'released' } as const

const moveLineFields = {
  label: text('事项', { required: true }),
  value: text('内容'),
  note: text('说明'),
  tone: choice('含义', sectionTone),
  to: text('链接'),
}

const moveQuestionFields = {
  label: text('问题', { required: true }),
  value: text('当前选择', { required: true }),
  options: lines(
    '可选',
    { value: text('取值', { required: true }), label: text('名称', { required: true }), note: text('说明') },
    { required: true },
  ),
}

/** One module's part of a move: what will happen, its question, and why the move is not possible yet. */
export const moveStepFields = {
  key: text('键', { required: true }),
  title: text('标题', { required: true }),
  lines: lines('内容', moveLineFields, { required: true }),
  question: part('问题', moveQuestionFields),
  /** The move is refused while any step has this. */
  blocks: text('不能办理的原因'),
}

export type MoveStep = ValueOf<typeof moveStepFields>
export type MoveLine = ValueOf<typeof moveLineFields>
