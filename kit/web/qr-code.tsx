import { QRCode as AntQrCode, type QRCodeProps } from 'antd'

type OwnProps = Omit<QRCodeProps, 'color' | 'bgColor' | 'marginSize' | 'bordered'>

/** Light modules around it: readers do not find a code without them. The standard asks for four. */
const quietZone = 4

/** Readers of doors and many telephones read dark on light alone, whatever theme the screen has. */
export const QrCode = (props: OwnProps) => (
  <AntQrCode {...props} bordered={false} color="black" bgColor="white" marginSize={quietZone} />
)
