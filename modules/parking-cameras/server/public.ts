export { openCameras } from './demo-cameras.ts'
export { findLaneServer, openLaneServer } from './simulator/lane-server.ts'
export { LaneSimulator } from './simulator/lane-simulator.ts'
export { requestTo, SimulatedCamera } from './simulator/simulated-camera.ts'
