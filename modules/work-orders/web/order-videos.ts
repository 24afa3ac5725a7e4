import { videosControl } from '#kit/web/controls/video-upload.tsx'
import { maxVideoBytes } from '../contract/work-order.ts'

/** The videos of an order in a form: as many and as large as a resident may send. */
export const orderVideosControl = videosControl(maxVideoBytes)
