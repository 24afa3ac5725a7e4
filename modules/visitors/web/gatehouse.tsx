import { useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { useStored } from '#kit/web/browser-store.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { personalKey } from '#kit/web/session.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { getGatehouse } from '../contract/check.ts'
import type { VisitRecord } from '../contract/visit-record.ts'
import { CheckInDialog, type CheckedVisitor } from './check-in-dialog.tsx'
import { CodeCheck } from './code-check.tsx'
import { GatehouseLists } from './gatehouse-lists.tsx'
import { VisitSlip } from './visit-slip.tsx'
import { WalkInDialog } from './walk-in-dialog.tsx'

export type GatehouseFacts = NonNullable<typeof getGatehouse.output.T>

const minuteMs = 60_000

const Figures = ({ gatehouse }: { readonly gatehouse: GatehouseFacts }) => (
  <div className="visit-figures">
    <div>
      <b>{gatehouse.expectedCount}</b>今日待访
    </div>
    <div>
      <b>{gatehouse.insideCount}</b>在访
    </div>
    <div className={gatehouse.overdueCount ? 'late' : undefined}>
      <b>{gatehouse.overdueCount}</b>超时未离
    </div>
  </div>
)

interface PostProps {
  readonly gatehouse: GatehouseFacts
  readonly projectCode: string
}

/** One gatehouse at work: the code, the form that follows it, who is expected and who is inside. */
function Post({ gatehouse, projectCode }: PostProps) {
  const [locationId, setLocationId] = useStored<Id | undefined>(
    personalKey(`visitor-location/${projectCode}`),
    undefined,
  )
  const [visitor, setVisitor] = useState<CheckedVisitor>()
  const [isWalkIn, setWalkIn] = useState(false)
  const [printed, setPrinted] = useState<VisitRecord>()
  const finish = (record: VisitRecord): void => {
    setVisitor(undefined)
    setWalkIn(false)
    if (gatehouse.printsSlip) {
      setPrinted(record)
    }
  }
  const dialog = { gatehouse, projectCode, locationId, onDone: finish }
  return (
    <div className="visit-post">
      <section aria-label="核验">
        <Figures gatehouse={gatehouse} />
        <CodeCheck
          projectCode={projectCode}
          locationId={locationId}
          onLocation={setLocationId}
          onEnter={setVisitor}
          onWalkIn={() => setWalkIn(true)}
        />
      </section>
      <GatehouseLists projectCode={projectCode} locationId={locationId} onEnter={setVisitor} />
      {visitor && <CheckInDialog {...dialog} visitor={visitor} onClose={() => setVisitor(undefined)} />}
      {isWalkIn && <WalkInDialog {...dialog} onClose={() => setWalkIn(false)} />}
      {printed && <VisitSlip record={printed} onDone={() => setPrinted(undefined)} />}
    </div>
  )
}

/** 门岗核验: what a guard does with who comes and who goes. */
export function Gatehouse() {
  const projectCode = useProject() ?? ''
  const gatehouse = useCall(
    getGatehouse,
    { projectCode },
    { enabled: projectCode !== '', refetchMs: minuteMs },
  )
  return (
    <Loaded query={gatehouse} height={300} rows={6} width={[200]}>
      {facts => <Post gatehouse={facts} projectCode={projectCode} />}
    </Loaded>
  )
}
