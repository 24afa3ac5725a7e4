import { Input, Select } from 'antd'
import { parseId, type Id } from '#kit/domain/id.ts'
import { useChosenProject } from '#kit/web/chosen-project.ts'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { readChoice, readRows } from '#kit/web/controls/read-value.ts'
import { useCall } from '#kit/web/query.ts'
import { RequiredStar } from '#kit/web/required-star.tsx'
import { listQuestions } from '../contract/asked-questions.ts'
import { hostType, visitorKind } from '../contract/choices.ts'
import { offeredAnswers, type Answer, type Question } from '../domain/questions.ts'
import './visitors.css'

const maxLength = 200

interface AnswerProps extends Pick<ControlProps, 'id' | 'disabled' | 'onBlur'> {
  readonly question: Question
  readonly answer: string
  readonly onAnswer: (answer: string) => void
}

function AnswerInput({ id, disabled, onBlur, question, answer, onAnswer }: AnswerProps) {
  const offered = offeredAnswers(question)
  if (offered)
    return (
      <Select
        id={id}
        allowClear={!question.isRequired}
        disabled={disabled}
        placeholder="请选择"
        value={answer || null}
        options={offered.map(value => ({ value, label: value }))}
        onChange={value => onAnswer(value ?? '')}
        onBlur={onBlur}
      />
    )
  return (
    <Input
      id={id}
      disabled={disabled}
      maxLength={maxLength}
      value={answer}
      onChange={event => onAnswer(event.target.value)}
      onBlur={onBlur}
    />
  )
}

type Values = ControlProps['formValues']

const idIn = (values: Values, key: string): Id | undefined => parseId(values[key]) || undefined

/** What the rule of the visit asks, as far as the form is filled in. */
function useQuestions(values: Values): readonly Question[] | undefined {
  const chosen = useChosenProject()
  const kind = readChoice(visitorKind, values.visitorKind)
  const projectCode = typeof values.projectCode === 'string' ? values.projectCode : chosen
  const asked = {
    projectCode: projectCode ?? '',
    hostType: readChoice(hostType, values.hostType) ?? 'staff',
    visitorKind: kind ?? 'friend',
    hostUserId: idIn(values, 'hostUserId'),
    roomId: idIn(values, 'roomId'),
    workerId: idIn(values, 'workerId'),
    ruleId: idIn(values, 'ruleId'),
    invitationId: idIn(values, 'id'),
  }
  const isKnown = kind !== undefined && projectCode !== undefined
  return useCall(listQuestions, asked, { quiet: true, enabled: isKnown, keepPrevious: true }).data
}

/** 问题答案: each question of the rule with its own control. */
export function AnswersControl({ value, onChange, formValues, id, disabled, onBlur }: ControlProps) {
  const questions = useQuestions(formValues)
  const answers = new Map(readRows<Answer>(value).map(({ label, answer }) => [label, answer]))
  if (!questions?.length) return <p id={id}>所选规则未设置问题</p>
  const change = (label: string, typed: string): void => {
    answers.set(label, typed)
    onChange(
      questions.flatMap(question => {
        const answer = answers.get(question.label)
        return answer ? [{ label: question.label, answer }] : []
      }),
    )
  }
  return (
    <div className="visit-answers" id={id} role="group" aria-label="问题答案">
      {questions.map((question, i) => (
        <div key={question.label}>
          <label htmlFor={`${id}-${i}`}>
            {question.isRequired && <RequiredStar />}
            {question.label}
          </label>
          <AnswerInput
            id={`${id}-${i}`}
            disabled={disabled}
            onBlur={onBlur}
            question={question}
            answer={answers.get(question.label) ?? ''}
            onAnswer={answer => change(question.label, answer)}
          />
        </div>
      ))}
    </div>
  )
}
