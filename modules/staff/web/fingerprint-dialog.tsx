import { labelOf } from '#kit/contract/field.ts'
import { useCall, useSend } from '#kit/web/query.ts'
import { createReasonAction } from '#kit/web/record-actions.ts'
import {
  deleteStaffFingerprints,
  listStaffFingerprints,
  saveStaffFingerprint,
  type StaffFingerprint,
} from '../contract/fingerprint.ts'
import { finger } from '../contract/labels.ts'
import type { Staff } from '../contract/staff.ts'
import { CaptureDialog } from './public.fingerprint.tsx'

const removal = createReasonAction<StaffFingerprint>(deleteStaffFingerprints, {
  unit: '枚指纹',
  nameOf: print => labelOf(finger, print.fingerNo),
  consequences: ['删除后该手指不能再用于验证', '同时从设备上删除'],
  reasonPresets: ['录错手指', '员工要求'],
})

/** Of one of the staff: for attendance, and for the doors of the staff. */
export function FingerprintDialog({ of, onClose }: { readonly of: Staff; readonly onClose: () => void }) {
  const enrolled = useCall(listStaffFingerprints, { staffId: of.id })
  const { mutateAsync: save, isPending } = useSend(saveStaffFingerprint)
  return (
    <CaptureDialog
      name={of.name}
      prints={enrolled.data}
      save={captured => save({ staffId: of.id, ...captured })}
      isSaving={isPending}
      onDelete={print => void removal.row(print).run?.()}
      onClose={onClose}
    />
  )
}
