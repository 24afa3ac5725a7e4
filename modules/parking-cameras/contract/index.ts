import { declareContract } from '#kit/contract/module-contract.ts'
import * as camera from './camera.ts'
import * as choices from './choices.ts'
import * as reading from './reading.ts'

export const contract = declareContract(choices, camera, reading)
