import { Status } from '#kit/web/status.tsx'
import type { listReceivers } from '../contract/receivers.ts'

export type Candidate = NonNullable<typeof listReceivers.output.T>[number]

const loadText = ({ openCount, maxOpen, lateCount }: Candidate): string =>
  [
    maxOpen === undefined ? `在办 ${openCount}` : `在办 ${openCount}/${maxOpen}`,
    lateCount ? `超时 ${lateCount}` : '',
  ]
    .filter(Boolean)
    .join('，')

function DutyState({ person: { isPaused, isOnDuty, canReceive } }: { readonly person: Candidate }) {
  if (isPaused)
    return (
      <Status tone="hold" plain>
        暂停接单
      </Status>
    )
  if (!isOnDuty)
    return (
      <Status tone="off" plain>
        不在岗
      </Status>
    )
  return (
    <Status tone={canReceive ? 'done' : 'off'} plain>
      在岗
    </Status>
  )
}

/** Somebody who handles orders: department, whether on duty, how many orders are open. */
export const CandidateLine = ({ person }: { readonly person: Candidate }) => (
  <span className="candidate">
    <b>{person.name}</b>
    <small>{[person.departmentName, person.position].filter(Boolean).join(' · ')}</small>
    <DutyState person={person} />
    <span className="load">{loadText(person)}</span>
    {person.reason && <small className="why">{person.reason}</small>}
  </span>
)
