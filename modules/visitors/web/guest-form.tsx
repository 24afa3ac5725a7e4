import { useRef, useState } from 'react'
import { keysOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { FieldFault, PhoneField } from '#kit/web/phone/phone-field.tsx'
import { PhoneForm } from '#kit/web/phone/phone-form.tsx'
import { shrinkPhoto } from '#kit/web/phone/shrink-photo.ts'
import { send } from '#kit/web/send.ts'
import { upload } from '#kit/web/upload.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { certType } from '#modules/residents/contract/labels.ts'
import { completeGuest, uploadGuestFace, type GuestPage } from '../contract/guest.ts'

interface GuestFormProps {
  readonly token: string
  readonly page: GuestPage
  readonly fault: string | undefined
  readonly runAction: (action: () => Promise<GuestPage>) => Promise<void>
}

const quiet = { quiet: true, project: 0 } as const

/** A face from the camera or the album, made smaller before it is sent. */
function FaceField({ token, runAction }: Pick<GuestFormProps, 'token' | 'runAction'>) {
  const box = useRef<HTMLInputElement>(null)
  const sendPhoto = (file: File): Promise<void> =>
    runAction(async () => upload(uploadGuestFace, { token }, await shrinkPhoto(file), { quiet: true }))
  return (
    <div className="field">
      <span className="label">本人正面照片</span>
      <button type="button" className="big" onClick={() => box.current?.click()}>
        拍照或选择照片
      </button>
      <input
        ref={box}
        type="file"
        accept="image/*"
        hidden
        aria-label="本人正面照片"
        onChange={event => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) {
            void sendPhoto(file)
          }
        }}
      />
    </div>
  )
}

/** What the visitor says before the visit: the document, the plate, the face. */
export function GuestForm({ token, page, fault, runAction }: GuestFormProps) {
  const [kind, setKind] = useState<ChoiceOf<typeof certType>>('idCard')
  const [certNo, setCertNo] = useState('')
  const [plate, setPlate] = useState(page.plateNo ?? '')
  if (!page.needsCert && !page.needsFace && !page.allowsCar) return null
  const isPlateChanged = plate.trim() !== '' && normalizePlate(plate) !== page.plateNo
  const hasCert = page.needsCert && certNo.trim() !== ''
  const submit = (): Promise<void> =>
    runAction(() =>
      send(
        completeGuest,
        {
          token,
          ...(hasCert ? { certType: kind, certNo: certNo.trim() } : {}),
          ...(isPlateChanged ? { plateNo: normalizePlate(plate) } : {}),
        },
        quiet,
      ),
    )
  return (
    <PhoneForm onSubmit={() => void submit()}>
      {page.needsCert && (
        <>
          <PhoneField label="证件类型">
            {control => (
              <select
                {...control}
                value={kind}
                onChange={event =>
                  setKind(keysOf(certType).find(key => key === event.target.value) ?? 'idCard')
                }
              >
                {keysOf(certType).map(key => (
                  <option key={key} value={key}>
                    {labelOf(certType, key)}
                  </option>
                ))}
              </select>
            )}
          </PhoneField>
          <PhoneField label="证件号" isRequired>
            {control => (
              <input
                {...control}
                maxLength={30}
                autoComplete="off"
                value={certNo}
                onChange={event => setCertNo(event.target.value)}
              />
            )}
          </PhoneField>
        </>
      )}
      {page.needsFace && <FaceField token={token} runAction={runAction} />}
      {page.allowsCar && (
        <PhoneField label="车牌" hint="开车来访时填写">
          {control => (
            <input
              {...control}
              maxLength={12}
              value={plate}
              onChange={event => setPlate(event.target.value)}
            />
          )}
        </PhoneField>
      )}
      <FieldFault fault={fault} />
      <button type="submit" className="big primary" disabled={!hasCert && !isPlateChanged}>
        保存资料
      </button>
    </PhoneForm>
  )
}
