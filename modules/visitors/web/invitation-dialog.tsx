import type { UseQueryResult } from '@tanstack/react-query'
import { Button, Modal } from 'antd'
import { DownloadOutlined } from '@ant-design/icons'
import { useRef } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { openGuestPicture } from '../contract/guest.ts'
import { getInvitationPicture } from '../contract/template.ts'
import { InvitationCanvas, type InvitationCanvasProps } from './invitation-canvas.tsx'
import './gatehouse.css'

interface PictureDialogProps {
  readonly visitorName: string
  readonly picture: UseQueryResult<InvitationCanvasProps['picture']>
  readonly onClose: () => void
}

/** 邀请函 of one visitor, to be passed on as a picture. */
function PictureDialog({ visitorName, picture, onClose }: PictureDialogProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const keep = (): void => {
    if (!canvas.current) return
    const link = document.createElement('a')
    link.href = canvas.current.toDataURL('image/png')
    link.download = `邀请函 ${visitorName}.png`
    link.click()
  }
  return (
    <Modal open title={`邀请函「${visitorName}」`} width={420} footer={null} onCancel={onClose}>
      <Loaded query={picture} height={400} rows={8} width={[300]}>
        {found => (
          <>
            <div className="visit-picture">
              <InvitationCanvas picture={found} canvas={canvas} />
            </div>
            <p style={{ paddingTop: 12 }}>
              <Button type="primary" icon={<DownloadOutlined />} onClick={keep}>
                下载图片
              </Button>
            </p>
          </>
        )}
      </Loaded>
    </Modal>
  )
}

interface InvitationDialogProps extends Pick<PictureDialogProps, 'visitorName' | 'onClose'> {
  readonly visitorId: Id
}

/** For staff who pass invitations on. */
export const InvitationDialog = ({ visitorId, ...dialog }: InvitationDialogProps) => (
  <PictureDialog
    {...dialog}
    picture={useCall(getInvitationPicture, { id: visitorId }, { quiet: true, staleMs: 0 })}
  />
)

interface GuestInvitationDialogProps extends Pick<PictureDialogProps, 'visitorName' | 'onClose'> {
  /** Of the visitor's link. */
  readonly token: string
}

/** For the visitor, and for the host who has the visitor's link. */
export const GuestInvitationDialog = ({ token, ...dialog }: GuestInvitationDialogProps) => (
  <PictureDialog
    {...dialog}
    picture={useCall(openGuestPicture, { token }, { quiet: true, project: 0, staleMs: 0 })}
  />
)
