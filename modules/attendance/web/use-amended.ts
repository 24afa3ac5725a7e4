import { useCallback, useState } from 'react'
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
  const found = useCall(
    listOwnApplications,
    { state: ['pending'], size: 100 },
    { quiet: true, staleMs: 0, enabled: addressed !== undefined },
  )
  const named =
    addressed === undefined
      ? undefined
      : found.data?.rows.find(({ id, isReturned }) => isReturned && String(id) === addressed)
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
