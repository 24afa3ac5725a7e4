import { useCallback, useState } from 'react'
import { parseId } from '#kit/domain/id.ts'
import { useAddressValue } from '#kit/web/address-value.ts'
import { useCall } from '#kit/web/query.ts'
import type { AttendanceApply } from '../contract/apply.ts'
import { listOwnApplications } from '../contract/own-apply.ts'

/** The document whose form is open: one that was chosen here, or the one that the address names (APR-4). */
export function useAmended(): readonly [
  row: AttendanceApply | undefined,
  amend: (row: AttendanceApply | undefined) => void,
] {
  const [chosen, choose] = useState<AttendanceApply>()
  const [addressed, setAddressed] = useAddressValue('amend')
  const addressedId =
    addressed !== undefined && /^[1-9]\d{0,14}$/.test(addressed) ? parseId(addressed) : undefined
  const found = useCall(
    listOwnApplications,
    { amendedId: addressedId },
    { quiet: true, staleMs: 0, enabled: addressedId !== undefined },
  )
  const named =
    addressedId === undefined
      ? undefined
      : found.data?.rows.find(({ id, isAmendable }) => isAmendable && id === addressedId)
  const amend = useCallback(
    (row: AttendanceApply | undefined): void => {
      choose(row)
      if (!row) {
        setAddressed(undefined)
      }
    },
    [setAddressed],
  )
  return [chosen ?? named, amend]
}
