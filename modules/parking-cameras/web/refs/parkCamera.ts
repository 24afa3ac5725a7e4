import { createRefSource } from '#kit/web/refs.ts'
import { parkCameras } from '../../contract/camera.ts'

/** Cameras of the chosen project by name. */
export default createRefSource(parkCameras.list, {
  value: camera => camera.id,
  label: camera => camera.cameraName,
  note: camera => [camera.laneName, camera.serialNo].filter(Boolean).join(' · '),
  ofFormProject: true,
})
