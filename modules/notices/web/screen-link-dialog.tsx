import { Modal } from 'antd'
import { VoidableLinkCard } from '#kit/web/voidable-link-card.tsx'
import { getScreenLink, renewScreenLink, type NoticeScreen } from '../contract/screen.ts'

interface DialogProps {
  readonly of: readonly NoticeScreen[]
  readonly onClose: () => void
}

/** 信息屏链接: what the browser of a screen opens, full-screen. */
export const ScreenLinkDialog = ({ of: [screen], onClose }: DialogProps) =>
  screen && (
    <Modal open title="信息屏链接" width={560} footer={null} onCancel={onClose}>
      <p>在信息屏的浏览器中打开链接并全屏显示；断网时继续显示最后一次的内容。</p>
      <VoidableLinkCard
        of={{ screenId: screen.id }}
        get={getScreenLink}
        renew={renewScreenLink}
        ownerName={screen.screenName}
        linkName="信息屏链接"
        copiedText="已复制链接，请在信息屏的浏览器中打开"
        reasonPresets={['链接外泄', '更换设备', '不再使用']}
        voidConsequences={['信息屏不再显示公告与广告', '重新生成后恢复']}
        renewConsequences={['原链接失效，信息屏须打开新链接']}
        renewedText="链接已重新生成，请在信息屏上打开"
      />
    </Modal>
  )
