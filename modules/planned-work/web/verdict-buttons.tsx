import { keysOf, labelOf } from '#kit/contract/field.ts'
import { stepVerdict, type StepVerdict } from '../contract/choices.ts'
import './verdict-buttons.css'

interface VerdictButtonsProps {
  readonly name: string
  readonly verdict: StepVerdict | undefined
  readonly onChange: (verdict: StepVerdict) => void
}

/** Passed, failed or not applicable, by large buttons. */
export const VerdictButtons = ({ name, verdict, onChange }: VerdictButtonsProps) => (
  <div className="verdicts" role="group" aria-label={`${name}的结果`}>
    {keysOf(stepVerdict).map(key => (
      <button
        key={key}
        type="button"
        className={`big ${key}`}
        aria-pressed={verdict === key}
        onClick={() => onChange(key)}
      >
        {labelOf(stepVerdict, key)}
      </button>
    ))}
  </div>
)
