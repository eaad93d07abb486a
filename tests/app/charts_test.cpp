#include "tracker/app/charts.hpp"

#include <gtest/gtest.h>

namespace tracker::app {
namespace {

TEST(PictureLink, ATemplateGetsTheNameOfTheFileWhereverItAsksForIt) {
  EXPECT_EQ(picture_link("out/a--samples.png", "https://example.org/x/{file}?raw=true", ""),
            "https://example.org/x/a--samples.png?raw=true");
  EXPECT_EQ(picture_link("a.png", "{file}/{file}", ""), "a.png/a.png");
}

TEST(PictureLink, WithoutATemplateItLeadsThereFromTheReport) {
  EXPECT_EQ(picture_link("/r/charts/a.png", "", "/r"), "charts/a.png");
  EXPECT_EQ(picture_link("/r/charts/a.png", "", "/r/reports"), "../charts/a.png");
  EXPECT_EQ(picture_link("charts/a.png", "", ""), "charts/a.png") << "a report on the terminal";
  EXPECT_EQ(picture_link("charts/a.png", "", "reports"), "../charts/a.png");
}

TEST(PictureLink, NothingInAFoldersNameEndsTheLink) {
  EXPECT_EQ(picture_link("/r/my (charts) \"x\" ü%/a.png", "", "/r"),
            "my%20%28charts%29%20%22x%22%20%C3%BC%25/a.png");
}

}  // namespace
}  // namespace tracker::app
