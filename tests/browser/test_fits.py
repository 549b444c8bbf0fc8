"""Every screen fits phones, upright and on their side, and desktops, in German, which has long words."""

from __future__ import annotations

import pytest
from tests.browser.conftest import DESKTOP, PHONE, Arrive
from tests.browser.fits import ACROSS, SMALL_DESKTOP, cut_off, misfits
from tests.browser.hands import Finger
from tests.browser.scenes import SCENES, Scene
from tests.browser.server import House


@pytest.mark.parametrize("scene", SCENES, ids=[scene.name for scene in SCENES])
def test_every_screen_fits_phones_and_desktops_in_german(seeded: House, arrive: Arrive, scene: Scene) -> None:
    ada = arrive("Ada", language="de", hand=Finger(), phone=True, faults=scene.faults)
    with scene.shown(ada, seeded.url):
        found = {
            "upright": cut_off(ada.page, PHONE) + misfits(ada.page),
            "across": cut_off(ada.page, ACROSS),
            "desktop": cut_off(ada.page, DESKTOP),
            "small desktop": cut_off(ada.page, SMALL_DESKTOP),
        }
    assert not any(found.values()), "\n".join(
        f"{how}: {fault}" for how, all in found.items() for fault in all
    )
