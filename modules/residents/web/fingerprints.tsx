import { Button } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { usePermission } from '#kit/web/session.ts'
import { finger } from '#modules/staff/contract/labels.ts'
import { CaptureDialog, EnrolledFingers } from '#modules/staff/web/public.fingerprint.tsx'
import {
  deleteResidentFingerprints,
  listResidentFingerprints,
  saveResidentFingerprint,
  type ResidentFingerprint,
} from '../contract/fingerprint.ts'
import type { Resident } from '../contract/resident.ts'
import { menu } from '../module.ts'
import './residents.css'

const removal = createReasonAction<ResidentFingerprint>(deleteResidentFingerprints, {
  unit: '枚指纹',
  nameOf: print => labelOf(finger, print.fingerNo),
  consequences: ['同时从设备上删除'],
  reasonPresets: ['录错手指', '本人要求', '已迁出'],
})

const consent = '本人已知悉指纹属于敏感个人信息，同意采集并用于门禁通行'

const remove = (print: ResidentFingerprint): void => void removal.row(print).run?.()

/** The fingers of a resident or a company worker, as keys beside cards and faces. */
export function FingerList({ resident }: { readonly resident: Resident }) {
  const [isCapturing, setCapturing] = useState(false)
  const hasPermission = usePermission()
  const enrolled = useCall(listResidentFingerprints, { userId: resident.id })
  const { mutateAsync: save, isPending } = useSend(saveResidentFingerprint)
  return (
    <div className="resident-fingers">
      {hasPermission(menu.card.permissions.add) && resident.state === 'normal' && (
        <Button type="primary" onClick={() => setCapturing(true)}>
          采集指纹
        </Button>
      )}
      <Loaded query={enrolled} height={132} rows={3}>
        {prints => (
          <EnrolledFingers
            prints={prints}
            onDelete={hasPermission(menu.card.permissions.del) ? remove : undefined}
          />
        )}
      </Loaded>
      {isCapturing && (
        <CaptureDialog
          name={resident.name}
          prints={enrolled.data}
          consent={consent}
          save={captured => save({ userId: resident.id, isConsented: true, ...captured })}
          isSaving={isPending}
          onDelete={hasPermission(menu.card.permissions.del) ? remove : undefined}
          onClose={() => setCapturing(false)}
        />
      )}
    </div>
  )
}
