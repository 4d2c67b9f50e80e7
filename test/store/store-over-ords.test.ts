import { storeCases } from '../conformance/store-cases.ts';
import { openEmulatedStore } from './emulated-store.ts';

storeCases('ORDS in this process', () => openEmulatedStore());
