import { Button, Modal } from 'antd'
import { LinkCards } from '#kit/web/link-cards.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { getScreenLink, renewScreenLink, type NoticeScreen } from '../contract/screen.ts'

interface DialogProps {
  readonly of: readonly NoticeScreen[]
  readonly onClose: () => void
}

function OpenedLink({ screen: { id, screenName } }: { readonly screen: NoticeScreen }) {
  const link = useCall(getScreenLink, { screenId: id }, { quiet: true, staleMs: 0 })
  const change = (isVoid: boolean): Promise<boolean> =>
    confirmAndSend(renewScreenLink, {
      unit: '个链接',
      reason: { presets: ['链接外泄', '更换设备', '不再使用'] },
      actionLabel: isVoid ? '作废链接' : '重新生成',
      okLabel: isVoid ? '作废链接' : '重新生成',
      title: `${isVoid ? '作废' : '重新生成'}「${screenName}」的链接`,
      consequences: isVoid
        ? ['信息屏不再显示公告与广告', '重新生成后恢复']
        : ['原链接失效，信息屏须打开新链接'],
      input: { screenId: id, isVoid },
      doneText: isVoid ? '链接已作废' : '链接已重新生成，请在信息屏上打开',
      onDone: () => void link.refetch(),
    })
  return (
    <Loaded query={link} height={160} rows={4}>
      {({ url, isVoid }) => (
        <LinkCards
          links={[{ placeName: screenName, url }]}
          linkName="信息屏链接"
          copiedText="已复制链接，请在信息屏的浏览器中打开"
          actionsOf={() => (
            <>
              <Button onClick={() => void change(false)}>重新生成</Button>
              {!isVoid && (
                <Button danger onClick={() => void change(true)}>
                  作废链接
                </Button>
              )}
            </>
          )}
        />
      )}
    </Loaded>
  )
}

/** 信息屏链接: what the browser of a screen opens, full-screen. */
export const ScreenLinkDialog = ({ of: [screen], onClose }: DialogProps) =>
  screen && (
    <Modal open title="信息屏链接" width={560} footer={null} onCancel={onClose}>
      <p>在信息屏的浏览器中打开链接并全屏显示；断网时继续显示最后一次的内容。</p>
      <OpenedLink screen={screen} />
    </Modal>
  )
