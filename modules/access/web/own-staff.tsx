import { useAddressValue } from '#kit/web/address-value.ts'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { getStaffAccess, openStaffDoorway, showStaffCode, type StaffAccess } from '../contract/own-access.ts'
import { accessRefetchMs, OwnFrame, OwnPlaceholder } from './own-frame.tsx'

interface ProjectProps {
  readonly access: StaffAccess
  readonly onProject: (code: string) => void
}

const ProjectSelect = ({ access: { projects, projectCode }, onProject }: ProjectProps) =>
  projects.length > 1 && (
    <select aria-label="项目" value={projectCode} onChange={event => onProject(event.target.value)}>
      {projects.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  )

function OwnStaff() {
  const [project, setProject] = useAddressValue('project')
  const asked = project === undefined ? {} : { projectCode: project }
  const own = useCall(getStaffAccess, asked, { quiet: true, staleMs: 0, refetchMs: accessRefetchMs })
  if (!own.data) return <OwnPlaceholder error={own.error} onRetry={() => void own.refetch()} />
  const { projectCode } = own.data
  return (
    <OwnFrame
      key={projectCode}
      access={own.data}
      open={doorwayId => send(openStaffDoorway, { doorwayId }, { quiet: true })}
      show={isNew =>
        send(showStaffCode, { isNew, ...(projectCode === undefined ? {} : { projectCode }) }, { quiet: true })
      }
    >
      <ProjectSelect access={own.data} onProject={setProject} />
    </OwnFrame>
  )
}

/** 我的通行: the doors and the code of one of the staff, on a telephone. */
export default function OwnStaffPage() {
  return (
    <SignedInOnly>
      <OwnStaff />
    </SignedInOnly>
  )
}
