import { Radio } from 'antd'
import { Link } from 'react-router'
import { Status } from '#kit/web/status.tsx'
import type { MoveStep } from '../contract/move-step.ts'
import './residents.css'

interface Props {
  readonly steps: readonly MoveStep[]
  readonly answerOf: (key: string) => string | undefined
  readonly onAnswer: (key: string, value: string) => void
}

/** The parts of a move, each with its lines, its question and what is in its way. */
export const MovePlanSteps = ({ steps, answerOf, onAnswer }: Props) => (
  <>
    {steps.map(step => (
      <div className="move-step" key={step.key} data-blocks={step.blocks !== undefined}>
        <h4>{step.title}</h4>
        {step.blocks && (
          <p className="bad">
            <Status tone="bad" plain>
              {step.blocks}
            </Status>
          </p>
        )}
        {step.lines.map((line, i) => (
          <p key={i}>
            {line.to ? <Link to={line.to}>{line.label}</Link> : line.label}{' '}
            {line.value && (
              <b>
                {line.tone ? (
                  <Status tone={line.tone} plain>
                    {line.value}
                  </Status>
                ) : (
                  line.value
                )}
              </b>
            )}{' '}
            {line.note && <small>{line.note}</small>}
          </p>
        ))}
        {step.question && (
          <fieldset>
            <legend>{step.question.label}</legend>
            <MovePlanChoices step={step} value={answerOf(step.key)} onAnswer={onAnswer} />
          </fieldset>
        )}
      </div>
    ))}
  </>
)

/** The options of a step that asks. */
export const MovePlanChoices = ({
  step,
  value,
  onAnswer,
}: {
  readonly step: MoveStep
  readonly value: string | undefined
  readonly onAnswer: Props['onAnswer']
}) =>
  step.question ? (
    <Radio.Group
      aria-label={step.question.label}
      value={value ?? step.question.value}
      onChange={e => onAnswer(step.key, String(e.target.value))}
      options={step.question.options.map(o => ({
        value: o.value,
        label: o.note ? `${o.label}（${o.note}）` : o.label,
      }))}
    />
  ) : null
