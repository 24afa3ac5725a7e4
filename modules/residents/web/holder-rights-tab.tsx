import { usePermission } from '#kit/web/session.ts'
import { holderRights, type Holder } from './public.holder-rights.ts'

/** The doors of a holder, as a tab of a detail; none where no module has them or the right is missing. */
export function useHolderRightsTab() {
  const hasPermission = usePermission()
  return holderRights
    .useAll()
    .filter(({ needs }) => hasPermission(needs))
    .map(({ List }) => ({
      key: 'rights',
      label: () => '通行权限',
      body: ({ userId, staffId }: Holder) => <List holder={{ userId, staffId }} />,
    }))
}
