import type { Action } from '#kit/web/action.tsx'
import { confirm } from '#kit/web/confirm.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { SecretDialog } from '#kit/web/secret-dialog.tsx'
import { renewCameraKey, type ParkCamera } from '../contract/camera.ts'
import { menu } from '../module.ts'

export interface NewKey {
  readonly cameraName: string
  readonly secret: string
  readonly address: string
}

type Camera = Pick<ParkCamera, 'id' | 'cameraName'>

/** A key of its own, which is shown once. */
export async function makeKey({ id, cameraName }: Camera, show: (key: NewKey) => void): Promise<void> {
  show({ cameraName, ...(await sendAndInvalidate(renewCameraKey, { id })) })
}

export const keyAction = (
  row: Camera & Pick<ParkCamera, 'keyTime'>,
  show: (key: NewKey) => void,
): Action => ({
  label: row.keyTime === undefined ? '生成密钥' : '更换密钥',
  needs: menu.camera.permissions.key,
  danger: row.keyTime !== undefined,
  run: async () => {
    const isSure =
      row.keyTime === undefined ||
      (await confirm({
        title: `更换「${row.cameraName}」的密钥`,
        text: '原密钥立即失效，填入新密钥之前相机不能上报。',
        okLabel: '更换',
        danger: true,
      }))
    if (!isSure) return
    await makeKey(row, show)
  },
})

export const CameraKeyDialog = ({
  newKey: { cameraName, secret, address },
  onClose,
}: {
  readonly newKey: NewKey
  readonly onClose: () => void
}) => (
  <SecretDialog
    title={`「${cameraName}」的密钥`}
    label="密钥"
    secret={secret}
    address={location.origin + address}
    onClose={onClose}
  />
)
