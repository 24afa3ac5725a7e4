import { parseId } from '#kit/domain/id.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { Empty } from '#kit/web/page-feedback.tsx'
import { findReceivers } from '../contract/receivers.ts'
import { CandidateLine } from './candidate-line.tsx'
import './board.css'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Chooses who gets the order: those who may come first, the others with the reason why not. */
export const CandidateControl: Control = ({ value, onChange, formValues, id, invalid, describedBy }) => {
  const { projectCode, typeId, buildCode } = formValues
  const candidates = useCall(
    findReceivers,
    {
      projectCode: textOf(projectCode),
      typeId: parseId(typeId),
      ...(buildCode ? { buildCode: textOf(buildCode) } : {}),
    },
    { quiet: true, enabled: Boolean(projectCode) && Number(typeId) > 0, staleMs: 0 },
  )
  return (
    <Loaded query={candidates} height={160} rows={4}>
      {people =>
        people.length ? (
          <div
            id={id}
            className="candidates"
            role="radiogroup"
            aria-label="处理人"
            aria-describedby={describedBy}
            aria-invalid={invalid}
          >
            {people.map(person => (
              <label key={person.managerId} title={person.reason}>
                <input
                  type="radio"
                  name={id}
                  disabled={!person.canReceive}
                  checked={value === person.managerId}
                  onChange={() => onChange(person.managerId)}
                />
                <CandidateLine person={person} />
              </label>
            ))}
          </div>
        ) : (
          <Empty text="该类型在此处没有接单人，请先在工单设置中配置接单人" />
        )
      }
    </Loaded>
  )
}
