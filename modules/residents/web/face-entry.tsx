import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { saveFile } from '#kit/web/file-store.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { PhoneField } from '#kit/web/phone/phone-field.tsx'
import { PhoneForm } from '#kit/web/phone/phone-form.tsx'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { useRefOptions } from '#kit/web/refs.ts'
import { usePermission } from '#kit/web/session.ts'
import { Status } from '#kit/web/status.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { listFaces, listStaffFaces, saveFace, saveStaffFace, type FaceKey } from '../contract/card.ts'
import { faceState } from '../contract/labels.ts'
import { listResidentHomes } from '../contract/residency.ts'
import { menu } from '../module.ts'
import { FacePersonSearch, type FacePerson } from './face-person.tsx'
import { FacePhotoField, isGoodPhoto, type FacePhoto } from './face-photo-field.tsx'
import '#kit/web/phone/phone.css'
import './residents.css'

interface EntryProps {
  readonly person: FacePerson
  readonly onBack: () => void
}

/** The faces of somebody, and the projects for which one may be taken: those of the homes, if any. */
function usePerson({ kind, id }: FacePerson) {
  const isResident = kind === 'resident'
  const ofResident = useCall(listFaces, { userId: id }, { quiet: true, enabled: isResident, staleMs: 0 })
  const ofStaff = useCall(listStaffFaces, { staffId: id }, { quiet: true, enabled: !isResident, staleMs: 0 })
  const homes = useCall(listResidentHomes, { userId: id }, { quiet: true, enabled: isResident })
  const { options } = useRefOptions('estate', '', {}, true)
  const codes = new Set(homes.data?.filter(h => h.status === 'living').map(h => h.projectCode))
  return {
    faces: (isResident ? ofResident : ofStaff).data?.rows ?? [],
    projects: options.filter(({ value }) => !codes.size || codes.has(String(value))),
  }
}

const FaceLine = ({ face, project }: { readonly face: FaceKey; readonly project: string | undefined }) => (
  <div>
    <dt>{project ?? face.projectCode}</dt>
    <dd>
      {face.isExpired ? (
        <Status tone="off">已过期</Status>
      ) : (
        <Status tone={faceState.rows[face.state][2] ?? 'off'}>{labelOf(faceState, face.state)}</Status>
      )}
      {face.failReason && <small>{face.failReason}</small>}
    </dd>
  </div>
)

/** Sends the photo, in the place of the face that is there already. */
function useSaveFace({ kind, id }: FacePerson) {
  const ofResident = useSend(saveFace, { quiet: true })
  const ofStaff = useSend(saveStaffFace, { quiet: true })
  const { mutateAsync } = kind === 'resident' ? ofResident : ofStaff
  return async (projectCode: string, photo: FacePhoto, before: FaceKey | undefined): Promise<void> => {
    const face = await saveFile(photo.file)
    const holder = kind === 'resident' ? { userId: id } : { staffId: id }
    await mutateAsync({ ...before, projectCode, ...holder, face })
  }
}

function FaceEntryForm({ person, onBack }: EntryProps) {
  const { faces, projects } = usePerson(person)
  const save = useSaveFace(person)
  const shown = useProject()
  const [chosen, setChosen] = useState<string>()
  const [photo, setPhoto] = useState<FacePhoto>()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<{ readonly isDone: boolean; readonly text: string }>()
  const first = projects.find(({ value }) => value === shown) ?? projects[0]
  const projectCode = chosen ?? (first && String(first.value))
  const before = faces.find(face => face.projectCode === projectCode && face.state !== 'deleted')
  const canSave = photo !== undefined && isGoodPhoto(photo) && projectCode !== undefined && !isBusy
  const submit = async (): Promise<void> => {
    if (!canSave) return
    setBusy(true)
    setOutcome(undefined)
    try {
      await save(defined(projectCode), defined(photo), before)
      setPhoto(undefined)
      setOutcome({ isDone: true, text: '已录入，正在下发到门禁设备' })
    } catch (error) {
      setOutcome({ isDone: false, text: describeRefusal(error, '网络未连接，请稍后重试') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <PhoneForm onSubmit={() => void submit()}>
      <header>
        <div>
          <h1>{person.name}</h1>
          <small>{person.note}</small>
        </div>
      </header>
      <main>
        {faces.length > 0 && (
          <dl className="facts" aria-label="已录入的人脸">
            {faces.map(face => (
              <FaceLine
                key={face.id}
                face={face}
                project={projects.find(({ value }) => value === face.projectCode)?.label}
              />
            ))}
          </dl>
        )}
        <PhoneField label="项目" isRequired>
          {control => (
            <select
              {...control}
              value={projectCode ?? ''}
              onChange={event => {
                setChosen(event.target.value)
                setOutcome(undefined)
              }}
            >
              {projects.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </PhoneField>
        <FacePhotoField
          value={photo}
          onChange={taken => {
            setPhoto(taken)
            setOutcome(undefined)
          }}
        />
        {outcome && (
          <p className={outcome.isDone ? 'done' : 'fault'} role={outcome.isDone ? 'status' : 'alert'}>
            {outcome.text}
          </p>
        )}
      </main>
      <div className="foot">
        <button type="button" className="big" onClick={onBack}>
          换人
        </button>
        <button type="submit" className="big primary" disabled={!canSave}>
          {isBusy ? '正在保存…' : before ? '更换人脸' : '保存'}
        </button>
      </div>
    </PhoneForm>
  )
}

function FaceEntry() {
  const [person, setPerson] = useState<FacePerson>()
  const hasPermission = usePermission()
  if (!hasPermission(menu.card.permissions.add))
    return <p className="empty">没有录入人脸的权限，请联系管理员开通</p>
  return person ? (
    <FaceEntryForm key={`${person.kind}${person.id}`} person={person} onBack={() => setPerson(undefined)} />
  ) : (
    <FacePersonSearch onPick={setPerson} />
  )
}

/** 信息录入: the face of a resident or colleague, from the camera of a telephone or as a file. */
export default function FaceEntryPage() {
  return (
    <SignedInOnly>
      <div className="phone">
        <FaceEntry />
      </div>
    </SignedInOnly>
  )
}
