import { Modal } from 'antd'
import type { Id } from '#kit/domain/id.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { PersonLinkCards } from '#modules/access/web/public.person-links.tsx'
import { listHomeLinks } from '../contract/codes.ts'

/** The page of one resident, each link of a home or a job; it ends with the move. */
export function HomeLinksDialog({ userId, onClose }: { readonly userId: Id; readonly onClose: () => void }) {
  const links = useCall(listHomeLinks, { userId }, { quiet: true, staleMs: 0 })
  return (
    <Modal open title="住户链接" width={560} footer={null} onCancel={onClose}>
      <p>住户用手机打开自己的链接，查看公告、活动，报事、邀请访客；迁出、离职后链接随之失效。</p>
      <Loaded query={links} height={140} rows={3}>
        {found =>
          found.length === 0 ? (
            <p role="status">该住户没有在住的房屋或在职的企业，不能使用住户页</p>
          ) : (
            <PersonLinkCards
              links={found}
              linkName="住户链接"
              copiedText="已复制链接，只能发给本人"
              onChanged={links.refetch}
            />
          )
        }
      </Loaded>
    </Modal>
  )
}
