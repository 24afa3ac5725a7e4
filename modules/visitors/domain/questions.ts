import type { ValueOf } from '#kit/contract/field.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { answerFields, questionFields } from '../contract/question.ts'

export type Question = ValueOf<typeof questionFields>
export type Answer = ValueOf<typeof answerFields>

/** What is wrong with the questions of a rule: each is asked once, a choice has something to choose. */
export const questionFaults = (questions: readonly Question[]): FieldFault[] =>
  questions.flatMap(({ label, kind, options = [] }, i) => [
    ...(questions.findIndex(other => other.label === label) < i
      ? [{ Field: `Questions[${i}].Label`, Message: '问题重复，请修改' }]
      : []),
    ...(kind === 'choice' && new Set(options).size < 2
      ? [{ Field: `Questions[${i}].Options`, Message: '单选至少要有两个不同的选项' }]
      : []),
  ])

const yesOrNo = ['是', '否']

/** What an answer is chosen from; nothing where it is typed. */
export const offeredAnswers = ({ kind, options = [] }: Question): readonly string[] | undefined =>
  kind === 'choice' ? options : kind === 'flag' ? yesOrNo : undefined

/** What is wrong with the answers: what must be answered is, and what is chosen was offered. */
export function answerFaults(questions: readonly Question[], answers: readonly Answer[]): FieldFault[] {
  const answerTo = new Map(answers.map(({ label, answer }) => [label, answer]))
  return questions.flatMap(question => {
    const { label, isRequired } = question
    const answer = answerTo.get(label)
    if (answer === undefined) return isRequired ? [{ Field: 'Answers', Message: `请填写「${label}」` }] : []
    const offered = offeredAnswers(question)
    return offered && !offered.includes(answer)
      ? [{ Field: 'Answers', Message: `「${label}」请选择 ${offered.join('、')}` }]
      : []
  })
}

/** The answers to what a rule asks, in its order. */
export const answersTo = (questions: readonly Question[], answers: readonly Answer[]): Answer[] =>
  questions.flatMap(({ label }) => answers.find(each => each.label === label) ?? [])
